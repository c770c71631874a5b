package identity

import "fmt"

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
