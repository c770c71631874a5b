package apply

import (
	"slices"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/managedfields"
	"github.com/plait-run/plait/runtime/plan"
)

// Difference is how a live object differs from the wanted one. The zero value: not at all.
type Difference struct {
	Content bool     // another content was applied last
	Lost    []string // fields that we applied and that are not ours any more: somebody changed them; sorted
}

// IsNone tells whether no write is needed. Fields in accepted are not missed: admission changed them when we wrote
// them, and would again.
func (d Difference) IsNone(accepted []string) bool {
	return !d.Content && !slices.ContainsFunc(d.Lost, func(path string) bool { return !slices.Contains(accepted, path) })
}

// Compare tells whether the cluster already holds what is wanted. Values are not compared: whoever changes a value of
// ours takes the field from our entry in managedFields, so that defaults and other spellings are no difference.
func (o Owner) Compare(wanted plan.Object, live map[string]any) Difference {
	return DifferenceOf(wanted, o.Marked(wanted), live)
}

// DifferenceOf is Compare for who has marked the wanted object already.
func DifferenceOf(wanted plan.Object, marked, live map[string]any) Difference {
	want, _ := lookup(marked, hashPath)
	have, _ := lookup(live, hashPath)
	if want != have {
		return Difference{Content: true}
	}
	own := managedfields.AppliedBy(live, v1alpha1.FieldManager)
	if own == nil {
		return Difference{Content: true}
	}
	return Difference{Lost: managedfields.Lost(without(marked, ignored(wanted)), own)}
}

// HashOf is the hash that the object will carry once it is applied.
func (o Owner) HashOf(obj plan.Object) string {
	hash, _ := lookup(o.Marked(obj), hashPath)
	text, _ := hash.(string)
	return text
}

var hashPath = []step{
	{key: "metadata", index: -1}, {key: "annotations", index: -1}, {key: v1alpha1.AnnotationAppliedHash, index: -1},
}
