package contract

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Mount is what a mount object says of itself.
type Mount struct {
	Ready    bool
	Why      string // where it is not ready, the field that says so: `its status.phase is "Provisioning"`
	URL      string // as given, unchecked; empty: none
	URLFault string // the URL's field holds no text: `status.URL is a number, not text`
}

const (
	phaseReady  = "Ready"
	stateActive = "ACTIVE"
)

// ReadMount understands any object as a mount. status.phase decides; without one status.state, which instances of
// ResourceGroups have; without that the condition Ready, if it speaks of the object as it is now.
func ReadMount(u *unstructured.Unstructured) Mount {
	status, fault := mapAt(u.Object, "status")
	switch {
	case fault != "":
		return Mount{Why: "its status is " + fault}
	case len(status) == 0:
		return Mount{Why: "it has no status yet"}
	}
	var m Mount
	m.Why = whyNotReady(u, status)
	m.Ready = m.Why == ""
	m.readURL(status)
	return m
}

// readURL takes status.URL before status.url.
func (m *Mount) readURL(status map[string]any) {
	for _, key := range []string{"URL", "url"} {
		text, fault := textAt(status, key)
		if fault != "" {
			m.URLFault = "status." + key + " is " + fault
			return
		}
		if text != "" {
			m.URL = text
			return
		}
	}
}

func whyNotReady(u *unstructured.Unstructured, status map[string]any) string {
	if phase, ok := status["phase"]; ok && phase != nil {
		return mismatch("phase", phase, phaseReady)
	}
	ready := readyCondition(u, status)
	if state, ok := status["state"]; ok && state != nil {
		if why := mismatch("state", state, stateActive); why != "" {
			return why
		}
		if ready.current && ready.status != "True" { // its author may lower it
			return ready.why()
		}
		return ""
	}
	switch {
	case !ready.exists:
		return "it has neither status.phase nor a condition Ready"
	case !ready.current:
		return "its condition Ready does not speak of its generation " + fmt.Sprint(u.GetGeneration())
	case ready.status != "True":
		return ready.why()
	default:
		return ""
	}
}

// mismatch compares a field of the status with the only value that counts.
func mismatch(field string, value any, want string) string {
	text, ok := value.(string)
	switch {
	case !ok:
		return fmt.Sprintf("its status.%s is %s, not text", field, shape(value))
	case text != want:
		return fmt.Sprintf("its status.%s is %s, and only %q counts", field, Quote(text), want)
	default:
		return ""
	}
}

type readiness struct {
	exists  bool
	current bool // it speaks of the object's generation
	status  string
	reason  string
	message string
}

func (r readiness) why() string {
	out := "its condition Ready is " + Quote(r.status)
	if r.reason != "" {
		out += " for " + Quote(r.reason)
	}
	if r.message != "" {
		out += ": " + Quote(r.message)
	}
	return out
}

// readyCondition finds the condition Ready. One without observedGeneration goes by that of the whole status; without
// both it is not current.
func readyCondition(u *unstructured.Unstructured, status map[string]any) readiness {
	list, _ := status["conditions"].([]any)
	for _, item := range list {
		c, ok := item.(map[string]any)
		if !ok || c["type"] != phaseReady {
			continue
		}
		r := readiness{exists: true}
		r.status, _ = textAt(c, "status")
		r.reason, _ = textAt(c, "reason")
		r.message, _ = textAt(c, "message")
		observed, ok := c["observedGeneration"]
		if !ok || observed == nil {
			observed = status["observedGeneration"]
		}
		r.current = isGeneration(observed, u.GetGeneration())
		return r
	}
	return readiness{}
}

func isGeneration(value any, generation int64) bool {
	switch n := value.(type) {
	case int64:
		return n == generation
	case float64:
		return n == float64(generation)
	default:
		return false
	}
}
