package binding

import (
	"fmt"
	"slices"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/sync"
)

// facts is what is known of one API of a binding.
type facts struct {
	name       string
	leaves     bool // the binding is being deleted, or does not name the API any more
	recorded   bool // the status names it, so that objects may have finalizers
	namespaced bool // the binding is a Binding
	policy     v1alpha1.BindingDeletionPolicy

	connection  *v1alpha1.Connection // nil: there is none
	isAllowed   bool                 // the binding's namespace may use it
	hasProvider bool                 // there is a verified way to it
	exported    *v1alpha1.ExportedAPI
	definition  *definition // installed here; nil: there is none
	rival       string      // the binding that has the API; empty: none
	isKept      bool        // others see to all objects that this binding would see to
	kept        []string    // namespaces in which others do; only where isKept is false
}

// judgement is what follows: what the status says, and what is done.
type judgement struct {
	state   v1alpha1.BoundAPIState
	reason  v1alpha1.Reason
	message string
	runs    bool // objects are worked on, in this mode
	mode    sync.Mode
	done    bool // nothing is left of an API that leaves
}

func pending(reason v1alpha1.Reason, format string, args ...any) judgement {
	return judgement{state: v1alpha1.BoundAPIPending, reason: reason, message: fmt.Sprintf(format, args...)}
}

// judge decides about one API.
func judge(f facts) judgement {
	switch {
	case f.leaves:
		return judgeLeaving(f)
	case f.connection == nil:
		return pending(v1alpha1.ReasonConnectionNotFound, "there is no such Connection yet")
	case !f.isAllowed:
		out := pending(v1alpha1.ReasonNamespaceNotAllowed, "Connection %q does not let this namespace use it: label the namespace as its spec.allowedNamespaces asks",
			f.connection.Name)
		return f.holding(out)
	case f.rival != "":
		return judgeBeaten(f)
	case f.exported == nil:
		return judgeUnknown(f)
	case f.namespaced && f.exported.Scope == v1alpha1.ScopeCluster:
		return judgement{state: v1alpha1.BoundAPIUnsupported, reason: v1alpha1.ReasonClusterScoped,
			message: "its objects live in no namespace: bind it with a ClusterBinding"}
	default:
		return judgeExported(f)
	}
}

// judgeBeaten is about an API that another binding has. Where that one does not see to objects that this one has had before,
// they are held on to.
func judgeBeaten(f facts) judgement {
	out := judgement{state: v1alpha1.BoundAPIConflict, reason: v1alpha1.ReasonAPIBoundElsewhere, message: fmt.Sprintf("%s has bound it", f.rival)}
	if f.isKept {
		return out
	}
	return f.holding(out)
}

// holding keeps what has been bound: nothing new goes up, and deletions are carried out.
func (f facts) holding(out judgement) judgement {
	out.runs = f.recorded && f.hasProvider && f.isOurs()
	out.mode = sync.Holding
	return out
}

// isOurs tells whether the installed definition comes through the binding's Connection.
func (f facts) isOurs() bool {
	return f.definition != nil && f.connection != nil && f.definition.connection == f.connection.Name
}

func judgeLeaving(f facts) judgement {
	out := pending(v1alpha1.ReasonReleasingObjects, "its objects are being let go")
	out.runs, out.mode = true, sync.Releasing
	switch {
	case f.definition == nil, !f.recorded, f.isKept:
		return judgement{done: true}
	case f.policy != v1alpha1.BindingDeletionDelete, f.connection == nil, f.connection.Spec.Abandon:
		return out
	case !f.hasProvider:
		return pending(v1alpha1.ReasonReleasingObjects, "the copies at the provider cannot be deleted now: Connection %q is not connected", f.connection.Name)
	default:
		out.mode = sync.Removing
		out.message = "the copies at the provider are being deleted"
		return out
	}
}

func judgeUnknown(f facts) judgement {
	if why := notReady(f.connection); why != "" {
		return f.holding(pending(v1alpha1.ReasonConnectionNotReady, "Connection %q is not ready: %s", f.connection.Name, why))
	}
	return f.holding(pending(v1alpha1.ReasonAPINotExported, "Connection %q exports no such API: its status lists those that it does", f.connection.Name))
}

func judgeExported(f facts) judgement {
	said := judgement{reason: v1alpha1.Reason(f.exported.Reason), message: f.exported.Message}
	switch f.exported.State {
	case v1alpha1.ExportedAPIWithdrawn:
		said.state = v1alpha1.BoundAPIWithdrawn
		said.reason, said.message = v1alpha1.ReasonAPIWithdrawn, orElse(said.message, "the provider exports it no longer; schema and objects stay, and nothing new goes up")
		return f.holding(said)
	case v1alpha1.ExportedAPIConflict:
		said.state = v1alpha1.BoundAPIConflict
	case v1alpha1.ExportedAPIInvalid:
		said.state = v1alpha1.BoundAPIInvalid
	case v1alpha1.ExportedAPIUnsupported:
		said.state = v1alpha1.BoundAPIUnsupported
	case v1alpha1.ExportedAPIAvailable:
		said = pending(v1alpha1.ReasonSyncing, "its schema is not installed yet")
	case v1alpha1.ExportedAPIInstalled:
		said.state = v1alpha1.BoundAPIBound
		said.reason, said.message = v1alpha1.ReasonAsExpected, ""
	}
	return f.copying(said)
}

// copying syncs what can be synced: an update of the schema that cannot be installed holds up nothing.
func (f facts) copying(out judgement) judgement {
	isBound := out.state == v1alpha1.BoundAPIBound
	switch {
	case isBound && (!f.isOurs() || f.version() == ""):
		return pending(v1alpha1.ReasonSyncing, "its schema is being installed")
	case f.connection.Spec.Abandon:
		out.runs, out.mode = f.recorded && f.isOurs(), sync.Releasing
		return out
	case isBound && !f.hasProvider:
		return pending(v1alpha1.ReasonConnectionNotReady, "Connection %q is not connected: %s", f.connection.Name, orElse(notReady(f.connection), "it is being verified"))
	}
	out.runs = f.hasProvider && f.isOurs() && f.version() != "" && (isBound || f.recorded)
	return out
}

// version gives the version to sync in: the provider's preferred one, if it is served here; empty: none is.
func (f facts) version() string {
	if f.definition == nil {
		return ""
	}
	if f.exported != nil {
		for _, version := range f.exported.Versions {
			if slices.Contains(f.definition.served, version) {
				return version
			}
		}
	}
	return f.definition.storage
}

// notReady gives what a Connection says of why it is not ready; empty: it is.
func notReady(connection *v1alpha1.Connection) string {
	for _, c := range connection.Status.Conditions {
		if c.Type == string(v1alpha1.ConditionReady) && c.Status == "True" {
			return ""
		}
		if c.Type == string(v1alpha1.ConditionReady) {
			return orElse(c.Message, c.Reason)
		}
	}
	return "it has not been looked at yet"
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}
