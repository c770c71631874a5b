package connection

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/api/v1alpha1"
)

// hints tells ResourceGroups where kinds that are not installed come from. Safe for concurrent use.
type hints struct {
	mu        sync.Mutex
	all       map[string]map[schema.GroupKind]string // by Connection
	listeners []func(schema.GroupKind)
}

func newHints() *hints { return &hints{all: map[string]map[schema.GroupKind]string{}} }

// hintsOf gives a sentence for each exported kind that is not installed.
func hintsOf(conn *v1alpha1.Connection) map[schema.GroupKind]string {
	out := map[schema.GroupKind]string{}
	for _, api := range conn.Status.ExportedAPIs {
		if api.State != v1alpha1.ExportedAPIInstalled && api.State != v1alpha1.ExportedAPIWithdrawn {
			out[groupKindOf(api)] = fmt.Sprintf("%s is exported by Connection %q (%s)", groupKindOf(api), conn.Name, cureOf(conn, api))
		}
	}
	return out
}

// cureOf says what keeps an exported API from being installed.
func cureOf(conn *v1alpha1.Connection, api v1alpha1.ExportedAPI) string {
	if isBad(api.State) {
		return fmt.Sprintf("%s: %s", api.State, shortened(api.Message))
	}
	policy := cmp.Or(conn.Spec.Schema.PullPolicy, v1alpha1.PullPolicyBound)
	switch {
	case api.Reason != "":
		return "its definition is on its way"
	case policy == v1alpha1.PullPolicyNone:
		return "pullPolicy None: use Bound or Referenced"
	case policy == v1alpha1.PullPolicyBound:
		return "pullPolicy Bound: bind it, or use Referenced"
	default:
		return fmt.Sprintf("pullPolicy %s: its definition is on its way", policy)
	}
}

// set replaces what a Connection has to say, and tells of each kind for which that is new.
func (h *hints) set(connection string, now map[schema.GroupKind]string) {
	h.mu.Lock()
	was := h.all[connection]
	if len(now) == 0 {
		delete(h.all, connection)
	} else {
		h.all[connection] = now
	}
	listeners := slices.Clone(h.listeners)
	h.mu.Unlock()
	changed := map[schema.GroupKind]bool{}
	for _, kinds := range []map[schema.GroupKind]string{was, now} {
		for kind := range kinds {
			if was[kind] != now[kind] {
				changed[kind] = true
			}
		}
	}
	for _, kind := range slices.SortedFunc(maps.Keys(changed), func(a, b schema.GroupKind) int { return cmp.Compare(a.String(), b.String()) }) {
		for _, f := range listeners {
			f(kind)
		}
	}
}

// get gives the sentence of the first Connection that has one; "" when none has.
func (h *hints) get(kind schema.GroupKind) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, connection := range slices.Sorted(maps.Keys(h.all)) {
		if text := h.all[connection][kind]; text != "" {
			return text
		}
	}
	return ""
}

// onChange has f called with every kind whose hint has changed; f must return soon.
func (h *hints) onChange(f func(schema.GroupKind)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.listeners = append(h.listeners, f)
}

// Hint tells where a kind that is not installed comes from: a sentence without a full stop, "" when nobody exports it.
func (r *Reconciler) Hint(kind schema.GroupKind) string { return r.hints.get(kind) }

// OnHint has f called with every kind whose Hint has changed; f must return soon.
func (r *Reconciler) OnHint(f func(schema.GroupKind)) { r.hints.onChange(f) }

// speaksOf tells whether a Connection has something to say of a kind, or of a kind of its group where it is empty.
func (h *hints) speaksOf(connection string, kind schema.GroupKind) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for known := range h.all[connection] {
		if known.Group == kind.Group && (kind.Kind == "" || known.Kind == kind.Kind) {
			return true
		}
	}
	return false
}
