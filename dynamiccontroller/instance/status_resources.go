package instance

import (
	"slices"
	"time"

	"github.com/plait-run/plait/runtime/plan"
)

// Bounds of status.resources.
const (
	maxResources     = 100
	maxResourceBytes = 64 << 10
)

// resourcesOf lists nodes and their objects: what is not ready first, then in the order of the document. While nothing
// was evaluated the old list stays.
func resourcesOf(p *pass, old map[string]any) (list []any, omitted int64) {
	before, _ := old["resources"].([]any)
	if !p.evaluated {
		kept, _ := old["resourcesOmitted"].(int64)
		return before, kept
	}
	former := &formerEntries{list: before}
	var pending, settled []any
	for _, n := range p.plan.Nodes {
		for _, e := range entriesOf(p, n) {
			value := former.reused(e)
			if value == nil {
				value = e.value(former.since(e, p.began))
			}
			if n.State == plan.Ready || n.State == plan.Excluded {
				settled = append(settled, value)
			} else {
				pending = append(pending, value)
			}
		}
	}
	return capped(append(pending, settled...))
}

// entry is one of status.resources, but for since when it stands so.
type entry struct {
	entryID
	uid, state, reason, message string
}

// entryID tells entries of status.resources apart.
type entryID struct{ id, apiVersion, kind, namespace, name string }

// entriesOf gives one entry for each object of a node, or one for the node itself while it has none.
func entriesOf(p *pass, n plan.Node) []entry {
	base := entry{entryID: entryID{id: n.ID}, state: string(n.State), message: n.Message}
	if n.State == plan.Failed {
		base.reason = string(n.Reason)
	}
	if len(n.Objects) == 0 {
		return []entry{base}
	}
	out := make([]entry, len(n.Objects))
	for i, o := range n.Objects {
		e := base
		e.apiVersion, e.kind = o.GVK.ToAPIVersionAndKind()
		e.namespace, e.name = o.Key.Namespace, o.Key.Name
		if live := p.observed.Children[o.Key]; live != nil {
			e.uid = string(uidOf(live))
		}
		out[i] = e
	}
	return out
}

func (e entry) fields() [9]struct{ key, value string } {
	return [...]struct{ key, value string }{
		{"id", e.id}, {"apiVersion", e.apiVersion}, {"kind", e.kind}, {"namespace", e.namespace}, {"name", e.name},
		{"uid", e.uid}, {"state", e.state}, {"reason", e.reason}, {"message", e.message},
	}
}

// value is the entry as it stands in the status; what is empty is left out.
func (e entry) value(since string) map[string]any {
	out := map[string]any{"since": since}
	for _, f := range e.fields() {
		setIf(out, f.key, f.value)
	}
	return out
}

// isOf tells whether a value of the status says just this.
func (e entry) isOf(value map[string]any) bool {
	told := 1
	for _, f := range e.fields() {
		if text(value, f.key) != f.value {
			return false
		}
		if f.value != "" {
			told++
		}
	}
	return len(value) == told && text(value, "since") != ""
}

// formerEntries are those of the last status. They are asked for in about the order in which they stand there.
type formerEntries struct {
	list []any
	next int
	byID map[entryID]map[string]any // nil until an entry stands elsewhere
}

// reused gives the former value of an entry that says the same as before; nil: there is none.
func (f *formerEntries) reused(e entry) any {
	if f.next < len(f.list) {
		if value, ok := f.list[f.next].(map[string]any); ok && e.isOf(value) {
			f.next++
			return value
		}
	}
	if value := f.find(e.entryID); value != nil && e.isOf(value) {
		return value
	}
	return nil
}

// since is since when the entry stands where it does.
func (f *formerEntries) since(e entry, now time.Time) string {
	last := f.find(e.entryID)
	if since := text(last, "since"); since != "" && text(last, "state") == e.state {
		return since
	}
	return now.UTC().Format(time.RFC3339)
}

func (f *formerEntries) find(id entryID) map[string]any {
	if f.byID == nil {
		f.byID = make(map[entryID]map[string]any, len(f.list))
		for _, item := range f.list {
			value, _ := item.(map[string]any)
			f.byID[entryID{text(value, "id"), text(value, "apiVersion"), text(value, "kind"), text(value, "namespace"), text(value, "name")}] = value
		}
	}
	return f.byID[id]
}

// capped keeps as many entries as fit, and counts the rest.
func capped(list []any) ([]any, int64) {
	size := 0
	cut := slices.IndexFunc(list, func(entry any) bool {
		size += lengthOf(entry)
		return size > maxResourceBytes
	})
	if cut < 0 || cut > maxResources {
		cut = min(len(list), maxResources)
	}
	return list[:cut], int64(len(list) - cut)
}

// lengthOf is how many bytes an entry takes as JSON at most.
func lengthOf(entry any) int {
	length := 2
	fields, _ := entry.(map[string]any)
	for key, value := range fields {
		length += len(key) + 6
		content, _ := value.(string)
		for i := range len(content) {
			length++
			if c := content[i]; c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' || c > '~' {
				length += 5
			}
		}
	}
	return length
}
