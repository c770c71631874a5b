package identity

import (
	"fmt"
	"strings"

	"github.com/plait-run/plait/api/v1alpha1"
)

// anyNamespace is the key of the fallback.
const anyNamespace = "*"

// Identity is who acts for an instance: a service account, or the engine itself. Comparable; the zero value is
// nobody.
type Identity struct {
	Namespace string // of the service account
	Name      string
	Self      bool // the engine acts as itself; Namespace and Name are empty
}

// String is `namespace/name`, as status.serviceAccount shows it, or "" for the engine itself.
func (i Identity) String() string {
	if i.Self || i == (Identity{}) {
		return ""
	}
	return i.Namespace + "/" + i.Name
}

// Username is what the API server calls the service account.
func (i Identity) Username() string {
	return fmt.Sprintf("system:serviceaccount:%s:%s", i.Namespace, i.Name)
}

// Settings are what the engine was started with.
type Settings struct {
	DefaultServiceAccount string // a name in the instance's namespace, for groups without a map; empty: none
	AllowActingAsSelf     bool
	EngineNamespace       string // whose accounts are never used; empty: unknown
}

// Refusal says why nobody acts for an instance.
type Refusal struct {
	Reason  string // a reason of the condition ServiceAccountResolved
	Message string // one line with the cure
}

// refuse gives the refusal of an instance for which nobody is named.
func refuse(format string, args ...any) (Identity, *Refusal) {
	return Identity{}, &Refusal{Reason: string(v1alpha1.ReasonNoServiceAccount), Message: fmt.Sprintf(format, args...)}
}

// Choose tells who acts for an instance. policies is the group's spec.defaultServiceAccounts, nil when the field is
// missing; namespace is the instance's, "" for a cluster-scoped one. Exactly one of the results is set.
//
// With a map the entry of the namespace counts, then "*" (never for cluster-scoped instances, whose only entry is ""),
// else nobody acts. Without one the engine's default account does, else the engine itself if it may. Accounts in
// kube-* and in the engine's own namespace are refused.
func Choose(policies map[string]string, settings Settings, namespace string) (Identity, *Refusal) {
	switch {
	case policies != nil && namespace == "":
		return ofCluster(policies, settings)
	case policies != nil:
		return ofMap(policies, settings, namespace)
	case settings.DefaultServiceAccount != "" && namespace != "":
		return settings.account(namespace, settings.DefaultServiceAccount)
	case settings.AllowActingAsSelf:
		return Identity{Self: true}, nil
	default:
		return refuse("no service account is named for %s: add spec.defaultServiceAccounts to the ResourceGroup",
			placeOf(namespace))
	}
}

func ofMap(policies map[string]string, settings Settings, namespace string) (Identity, *Refusal) {
	name, ok := policies[namespace]
	if !ok {
		name, ok = policies[anyNamespace]
	}
	if !ok {
		return refuse("no service account is named for %s: add it, or %q for all others, to spec.defaultServiceAccounts of the ResourceGroup",
			placeOf(namespace), anyNamespace)
	}
	return settings.account(namespace, name)
}

func ofCluster(policies map[string]string, settings Settings) (Identity, *Refusal) {
	value, ok := policies[""]
	if !ok {
		return refuse("no service account is named for %s: add the key \"\" with a value namespace/name to spec.defaultServiceAccounts of the ResourceGroup",
			placeOf(""))
	}
	namespace, name, ok := strings.Cut(value, "/")
	if !ok || namespace == "" {
		return refuse("the service account %q for %s lacks its namespace: write namespace/name in spec.defaultServiceAccounts of the ResourceGroup",
			value, placeOf(""))
	}
	return settings.account(namespace, name)
}

// account lets an account through that may be used.
func (s Settings) account(namespace, name string) (Identity, *Refusal) {
	switch {
	case name == "" || strings.Contains(name, "/"):
		return refuse("%q is no name of a service account of namespace %q: write a plain name in spec.defaultServiceAccounts of the ResourceGroup",
			name, namespace)
	case isSystem(namespace):
		return refuse("service accounts of namespace %q are never used: create the instance in another namespace", namespace)
	case !s.Lends(namespace):
		return refuse("service accounts of Plait's own namespace %q are never used: create the instance in another namespace", namespace)
	default:
		return Identity{Namespace: namespace, Name: name}, nil
	}
}

// Recorded reads the account, namespace/name, that the status of an instance of a namespace says has acted. It gives ok
// false for one that can never have: who may write a status is not to choose who acts.
func (s Settings) Recorded(account, namespace string) (id Identity, ok bool) {
	of, name, ok := strings.Cut(account, "/")
	if !ok || (namespace != "" && of != namespace) {
		return Identity{}, false
	}
	id, refusal := s.account(of, name)
	return id, refusal == nil
}

// Lends tells whether accounts of a namespace may ever act for somebody: those of the system and of the engine may not.
func (s Settings) Lends(namespace string) bool {
	return !isSystem(namespace) && (s.EngineNamespace == "" || namespace != s.EngineNamespace)
}

func isSystem(namespace string) bool { return strings.HasPrefix(namespace, "kube-") }

func placeOf(namespace string) string {
	if namespace == "" {
		return "cluster-scoped instances"
	}
	return fmt.Sprintf("namespace %q", namespace)
}
