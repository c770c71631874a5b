package mounts

import (
	"context"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/mounts/contract"
)

// reader is for whom a mount object is read: a service account, the owner that kcp records, or the engine itself.
type reader struct {
	account identity.Identity // without an owner
	owner   contract.Owner
}

// String is who it is, in a message.
func (r reader) String() string {
	if r.owner.IsRecorded() {
		return "the owner " + contract.Quote(r.owner.Username)
	}
	return "the service account " + contract.Quote(r.account.String())
}

func (r reader) subject() identity.Subject {
	return identity.Subject{Username: r.owner.Username, UID: r.owner.UID, Groups: r.owner.Groups, Extra: r.owner.Extra}
}

// reader tells for whom the object is read, or why for nobody.
func (c *Controller) reader(w contract.Workspace) (who reader, why string) {
	self := reader{account: identity.Identity{Self: true}}
	switch {
	case w.API == contract.KCP && w.Owner.Unreadable:
		return reader{}, "the annotation that records the owner of the Workspace cannot be read"
	case w.API == contract.KCP && w.Owner.IsRecorded():
		return reader{owner: w.Owner}, ""
	case w.API == contract.KCP:
		return self, ""
	case w.Account != "":
		return c.account(w)
	case c.cfg.Settings.AllowActingAsSelf:
		return self, ""
	default:
		return reader{}, "the Workspace names no service account that may get the object: set spec.mount.serviceAccountName"
	}
}

// account gives the service account that a Workspace names: one of the object's namespace, or namespace/name for an object
// that is in none.
func (c *Controller) account(w contract.Workspace) (who reader, why string) {
	namespace, name, hasNamespace := strings.Cut(w.Account, "/")
	if !hasNamespace {
		namespace, name = w.Reference.Namespace, w.Account
	}
	switch {
	case namespace == "" || name == "" || strings.Contains(name, "/"):
		return reader{}, fmt.Sprintf("spec.mount.serviceAccountName is %s: for an object that is in no namespace write namespace/name",
			contract.Quote(w.Account))
	case w.Reference.Namespace != "" && namespace != w.Reference.Namespace:
		return reader{}, fmt.Sprintf("the service account %s is not of the object's namespace %s: name one that is",
			contract.Quote(w.Account), contract.Quote(w.Reference.Namespace))
	case !c.cfg.Settings.Lends(namespace):
		return reader{}, fmt.Sprintf("service accounts of namespace %s are never used: put the object elsewhere", contract.Quote(namespace))
	default:
		return reader{account: identity.Identity{Namespace: namespace, Name: name}}, ""
	}
}

// ask tells why somebody may not get an object; empty: he may. First it asks for all objects of the namespace, so that one
// answer serves many Workspaces.
func (c *Controller) ask(ctx context.Context, who reader, ref contract.Reference, resource schema.GroupVersionResource) (why string, err error) {
	for _, name := range []string{"", ref.Name} {
		allowed, err := c.may(ctx, who, identity.Request{Verb: "get", Resource: resource, Namespace: ref.Namespace, Name: name})
		switch {
		case apierrors.IsForbidden(err) && who.owner.IsRecorded():
			return "the engine may not create subjectaccessreviews, by which it asks what the owner of the Workspace may do", nil
		case apierrors.IsForbidden(err):
			return fmt.Sprintf("the engine may not impersonate %s, as which it asks whether the object may be read", who), nil
		case err != nil:
			return "", err
		case allowed:
			return "", nil
		}
	}
	return fmt.Sprintf("%s may not get %s: grant the verb get on %s", who, ref, resource.GroupResource()), nil
}

func (c *Controller) may(ctx context.Context, who reader, req identity.Request) (allowed bool, err error) {
	if who.owner.IsRecorded() {
		allowed, _, err = c.cfg.Owners.SubjectMay(ctx, who.subject(), req)
		return allowed, err
	}
	allowed, _, err = c.cfg.Accounts.May(ctx, who.account, req)
	return allowed, err
}

func (c *Controller) forget(who reader) {
	if who.owner.IsRecorded() {
		c.cfg.Owners.ForgetSubject(who.subject())
		return
	}
	c.cfg.Accounts.Forget(who.account)
}
