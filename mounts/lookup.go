package mounts

import (
	"github.com/plait-run/plait/mounts/contract"
)

// Outcome is what came of looking for a mount object.
type Outcome int

// The outcomes.
const (
	Unknown    Outcome = iota // it cannot be told now, so nothing is changed
	NotServed                 // the kind is not served
	WrongScope                // the reference has a namespace and the kind none, or the reverse
	Forbidden                 // the engine, or whom the Workspace names, may not read it
	NotFound                  // it does not exist
	Found
)

// Lookup is the outcome, with what goes with it.
type Lookup struct {
	Outcome    Outcome
	Namespaced bool           // with WrongScope: the scope of the kind
	Why        string         // with Forbidden: who may not, and the cure
	Mount      contract.Mount // with Found
}
