package instance

import (
	"reflect"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/apply"
	"github.com/plait-run/plait/dynamiccontroller/deepequal"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/track"
	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/runtime"
	"github.com/plait-run/plait/runtime/plan"
)

// pass is what one reconcile knows; the steps fill it from top to bottom.
type pass struct {
	key      types.NamespacedName
	serving  Serving
	began    time.Time
	instance *unstructured.Unstructured // shared, never changed; nil: there is none
	memory   *memory
	owner    apply.Owner

	suspended bool
	graph     *graph.Graph
	revision  int64
	acting    identity.Identity
	api       apply.API
	claimed   bool

	resources []schema.GroupVersionResource // where children may be
	unsynced  []schema.GroupVersionResource // of resources: cannot be told now
	observed  runtime.Observed
	plan      plan.Plan
	evaluated bool
	refused   bool                    // a read was denied
	writes    map[plan.Key]int        // how often each object was written
	settled   map[plan.Key]settled    // the writes after which the server held what was wanted
	waits     map[plan.Key]plan.Fault // faults that are no faults: something has to come first

	strays   []string       // objects with the instance's label that are not its children, sorted
	stuck    []removalFault // children that are not wanted and cannot be deleted
	problem  *problem       // what keeps the pass from going on; nil: nothing
	deletion *deletion
	again    time.Duration // when to look again by time; 0: only on an event
	err      error         // a passing fault; the queue retries
}

// settled is an object as it was wanted, and the version in which the server holds it.
type settled struct {
	wanted  plan.Object
	version string
}

// isOf tells whether another evaluation wants the same of the same version.
func (s settled) isOf(wanted plan.Object, version string) bool {
	if s.version == "" || s.version != version || !deepequal.Values(s.wanted.Rendered, wanted.Rendered) {
		return false
	}
	wanted.Action, wanted.Rendered = s.wanted.Action, s.wanted.Rendered
	return reflect.DeepEqual(s.wanted, wanted)
}

// problem is a fault of the instance as a whole.
type problem struct {
	condition v1alpha1.ConditionType // that is not True because of it
	reason    v1alpha1.Reason
	message   string
	state     v1alpha1.State
}

func (p *pass) trackOwner(gvr schema.GroupVersionResource) track.Owner {
	return track.Owner{Resource: gvr, NamespacedName: p.key}
}

// evaluatedGraph is nil while nothing was evaluated.
func (p *pass) evaluatedGraph() *graph.Graph {
	if !p.evaluated {
		return nil
	}
	return p.graph
}

// lookAgain asks for another pass after d at the latest.
func (p *pass) lookAgain(d time.Duration) {
	if d > 0 && (p.again == 0 || d < p.again) {
		p.again = d
	}
}

// known gives the UIDs of children as the status holds them, for children that lost their labels.
func (p *pass) known() map[plan.Key]types.UID {
	status, _ := p.instance.Object["status"].(map[string]any)
	list, _ := status["resources"].([]any)
	out := make(map[plan.Key]types.UID, len(list))
	for _, item := range list {
		entry, ok := item.(map[string]any)
		if !ok {
			continue
		}
		version, _ := schema.ParseGroupVersion(text(entry, "apiVersion"))
		key := plan.Key{Group: version.Group, Kind: text(entry, "kind"), Namespace: text(entry, "namespace"), Name: text(entry, "name")}
		out[key] = types.UID(text(entry, "uid"))
	}
	return out
}

func (p *pass) isUnsynced(resource schema.GroupVersionResource) bool {
	return slices.Contains(p.unsynced, resource)
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

func resourceVersion(object map[string]any) string {
	u := unstructured.Unstructured{Object: object}
	return u.GetResourceVersion()
}

func keyOf(u *unstructured.Unstructured) plan.Key {
	gvk := u.GroupVersionKind()
	return plan.Key{Group: gvk.Group, Kind: gvk.Kind, Namespace: u.GetNamespace(), Name: u.GetName()}
}
