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
	since := sinceOf(before)
	var pending, settled []any
	for _, n := range p.plan.Nodes {
		for _, entry := range entriesOf(p, n) {
			stamp(entry, since, p.began)
			if n.State == plan.Ready || n.State == plan.Excluded {
				settled = append(settled, entry)
			} else {
				pending = append(pending, entry)
			}
		}
	}
	return capped(append(pending, settled...))
}

// entriesOf gives one entry for each object of a node, or one for the node itself while it has none.
func entriesOf(p *pass, n plan.Node) []map[string]any {
	base := func() map[string]any {
		entry := map[string]any{"id": n.ID, "state": string(n.State)}
		setIf(entry, "message", n.Message)
		if n.State == plan.Failed {
			setIf(entry, "reason", string(n.Reason))
		}
		return entry
	}
	var out []map[string]any
	for _, o := range n.Objects {
		entry := base()
		version, kind := o.GVK.ToAPIVersionAndKind()
		entry["apiVersion"], entry["kind"], entry["name"] = version, kind, o.Key.Name
		setIf(entry, "namespace", o.Key.Namespace)
		if live := p.observed.Children[o.Key]; live != nil {
			setIf(entry, "uid", string(uidOf(live)))
		}
		out = append(out, entry)
	}
	if len(out) == 0 {
		out = append(out, base())
	}
	return out
}

// entryID tells entries of status.resources apart.
type entryID struct{ id, apiVersion, kind, namespace, name string }

func idOf(entry map[string]any) entryID {
	return entryID{text(entry, "id"), text(entry, "apiVersion"), text(entry, "kind"), text(entry, "namespace"), text(entry, "name")}
}

type standing struct{ state, since string }

func sinceOf(list []any) map[entryID]standing {
	out := make(map[entryID]standing, len(list))
	for _, item := range list {
		if entry, ok := item.(map[string]any); ok {
			out[idOf(entry)] = standing{text(entry, "state"), text(entry, "since")}
		}
	}
	return out
}

// stamp says since when the entry stands where it does.
func stamp(entry map[string]any, since map[entryID]standing, now time.Time) {
	last, known := since[idOf(entry)]
	if known && last.state == text(entry, "state") && last.since != "" {
		entry["since"] = last.since
		return
	}
	entry["since"] = now.UTC().Format(time.RFC3339)
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
