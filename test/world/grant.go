package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// EngineUser is who the engine is after GrantEngine.
const EngineUser = "plait-engine"

// rolesOfTheEngine is the block of docs/service-accounts.md that an operator applies.
var rolesOfTheEngine = regexp.MustCompile("(?s)<!-- engine roles: applied by a test -->\n```yaml\n(.*?)```")

const bindingsOfTheEngine = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: plait-engine}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-engine}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: plait-engine}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: plait-engine, namespace: plait-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: plait-engine}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: plait-engine}]`

// GrantEngine makes the user EngineUser with the rights that docs/service-accounts.md asks for, and nothing more. Engines
// that are started afterwards are this user. It needs the controller manager, which gathers the rights.
func (w *World) GrantEngine(ctx context.Context) error {
	document, err := os.ReadFile(InTree("docs", "service-accounts.md"))
	if err != nil {
		return fmt.Errorf("reading the engine's roles: %w", err)
	}
	block := rolesOfTheEngine.FindSubmatch(document)
	if block == nil {
		return errors.New("reading the engine's roles: the document shows none")
	}
	const namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: plait-system}}"
	for _, documents := range []string{namespace, string(block[1]), bindingsOfTheEngine} {
		if _, err := w.Apply(ctx, "", documents); err != nil {
			return err
		}
	}
	w.engineUser = EngineUser
	return w.waitForRights(ctx)
}

// waitForRights waits until the controller manager has gathered the engine's rules.
func (w *World) waitForRights(ctx context.Context) error {
	config, err := w.RESTConfigFor(EngineUser)
	if err != nil {
		return fmt.Errorf("making the engine's certificate: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Verb: "patch", Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies",
		},
	}}
	return Until(ctx, "the engine's rights", func() error {
		answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if err == nil && !answer.Status.Allowed {
			err = errors.New(answer.Status.Reason)
		}
		return err
	})
}

// InTree gives the path of a file of this module, whatever the working folder.
func InTree(elements ...string) string {
	_, here, _, _ := goruntime.Caller(0)
	return filepath.Join(append([]string{filepath.Dir(here), "..", ".."}, elements...)...)
}
