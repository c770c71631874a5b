package contract

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// Form is how a Workspace says that it is mounted.
type Form int

// The forms.
const (
	None       Form = iota // it is not mounted
	Spec                   // by spec.mount
	Annotation             // by kcp's older annotation
	Both                   // by both, which is a fault
)

// Phase is status.phase. kcp has more than those of Plait's own API.
type Phase = v1alpha1.WorkspacePhase

// The phases that are written.
const (
	Scheduling  = v1alpha1.WorkspacePhaseScheduling
	Ready       = v1alpha1.WorkspacePhaseReady
	Unavailable = v1alpha1.WorkspacePhaseUnavailable
)

// Workspace is what a Workspace says of itself.
type Workspace struct {
	API        API
	Name       string
	Generation int64
	Deleting   bool
	Form       Form
	Reference  Reference  // with Form Spec or Annotation, where there is no Fault
	Account    string     // spec.mount.serviceAccountName; empty: none is named
	Owner      Owner      // on kcp: who made it, as far as it is recorded
	URL        string     // where it is served, by what its form shows
	Phase      Phase      // empty: nobody has looked at it
	Condition  *Condition // WorkspaceMountReady; nil: there is none
	HeldDown   string     // on kcp: another False condition that keeps it Unavailable; empty: there is none
	Parent     string     // on kcp: the path of the workspace that holds it; empty: not recorded
	Fault      *Fault     // why the mount cannot be read; nil: it can

	annotation annotation
	ownsURL    bool // spec.URL is the mount's, and not that of a cluster of its own
}

// Fault is what is wrong with what the Workspace says.
type Fault struct {
	Reason  v1alpha1.Reason
	Message string
}

// Condition is WorkspaceMountReady.
type Condition struct {
	Status   string // True, False, Unknown
	Severity v1alpha1.ConditionSeverity
	Reason   v1alpha1.Reason
	Message  string
	Since    time.Time // when Status last changed; zero: not known, or not decided
}

// IsSame tells whether both say the same, since whenever.
func (c *Condition) IsSame(d *Condition) bool {
	if c == nil || d == nil {
		return c == d
	}
	a, b := *c, *d
	a.Since, b.Since = time.Time{}, time.Time{}
	return a == b
}

// Annotations of kcp that are read.
const (
	annotationOwner = "experimental.tenancy.kcp.io/owner"
	annotationPath  = "kcp.io/path"
)

// Read understands a Workspace of an API.
func Read(api API, u *unstructured.Unstructured) Workspace {
	w := Workspace{
		API: api, Name: u.GetName(), Generation: u.GetGeneration(), Deleting: !u.GetDeletionTimestamp().IsZero(), ownsURL: true,
	}
	spec, _ := mapAt(u.Object, "spec")
	status, _ := mapAt(u.Object, "status")
	w.URL, _ = textAt(spec, "URL")
	phase, _ := textAt(status, "phase")
	w.Phase = Phase(phase)
	w.readConditions(status)
	annotations := u.GetAnnotations()
	legacy, isLegacy := annotations[v1alpha1.AnnotationMount]
	isLegacy = isLegacy && api == KCP
	if api == KCP {
		w.Owner = readOwner(annotations[annotationOwner])
		w.Parent = annotations[annotationPath]
	}
	switch mount, fault := mapAt(spec, "mount"); {
	case isLegacy && (mount != nil || fault != ""):
		w.Form = Both
		w.fail(v1alpha1.ReasonMountConflict, "the Workspace has both spec.mount and the annotation %s: remove the annotation", v1alpha1.AnnotationMount)
	case isLegacy:
		w.readAnnotation(legacy, spec)
	case fault != "":
		w.Form = Spec
		w.fail(v1alpha1.ReasonMountReferenceInvalid, "spec.mount is %s", fault)
	case mount != nil:
		w.readMount(mount)
	}
	return w
}

func (w *Workspace) fail(reason v1alpha1.Reason, format string, args ...any) {
	w.Fault = &Fault{Reason: reason, Message: fmt.Sprintf(format, args...)}
}

func (w *Workspace) readMount(mount map[string]any) {
	w.Form = Spec
	ref, fault := mapAt(mount, "ref")
	switch {
	case fault != "":
		w.fail(v1alpha1.ReasonMountReferenceInvalid, "spec.mount.ref is %s", fault)
		return
	case ref == nil:
		w.fail(v1alpha1.ReasonMountReferenceInvalid, "spec.mount.ref is missing")
		return
	}
	if w.Reference, fault = readReference(ref); fault != "" {
		w.fail(v1alpha1.ReasonMountReferenceInvalid, "spec.mount.ref.%s", fault)
	}
	if w.API == Plait {
		w.Account, _ = textAt(mount, "serviceAccountName")
	}
}

// readAnnotation reads the older form. Such a Workspace may have a cluster of its own, whose URL stays in the spec.
func (w *Workspace) readAnnotation(value string, spec map[string]any) {
	w.Form = Annotation
	cluster, _ := textAt(spec, "cluster")
	w.ownsURL = cluster == ""
	var fault string
	w.annotation, fault = parseAnnotation(value)
	if fault != "" {
		w.fail(v1alpha1.ReasonMountAnnotationInvalid, "the annotation %s cannot be read: %s", v1alpha1.AnnotationMount, fault)
		return
	}
	w.Reference = w.annotation.Reference
	if !w.ownsURL {
		w.URL = w.annotation.URL
	}
}

// readConditions finds our condition, and on kcp one that holds the Workspace down whatever ours says.
func (w *Workspace) readConditions(status map[string]any) {
	list, _ := status["conditions"].([]any)
	for _, item := range list {
		c, ok := item.(map[string]any)
		if !ok {
			continue
		}
		kind, _ := textAt(c, "type")
		value, _ := textAt(c, "status")
		switch {
		case kind == string(v1alpha1.ConditionWorkspaceMountReady):
			w.Condition = readCondition(c, value)
		case w.API == KCP && strings.HasPrefix(kind, Kind) && value == "False":
			w.HeldDown = Cut(kind)
		}
	}
}

func readCondition(c map[string]any, status string) *Condition {
	severity, _ := textAt(c, "severity")
	reason, _ := textAt(c, "reason")
	message, _ := textAt(c, "message")
	since, _ := textAt(c, "lastTransitionTime")
	out := &Condition{Status: status, Severity: v1alpha1.ConditionSeverity(severity), Reason: v1alpha1.Reason(reason), Message: message}
	if at, err := time.Parse(time.RFC3339, since); err == nil {
		out.Since = at
	}
	return out
}
