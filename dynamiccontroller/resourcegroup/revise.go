package resourcegroup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// hashOf identifies what an author wrote: SHA-256 over the canonical JSON of the spec as it is stored, not over Go
// types, so that no change of the engine makes an old document look new.
func hashOf(spec map[string]any) string {
	data, err := json.Marshal(spec)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// revise keeps a snapshot of an accepted spec that differs from the newest, and after a start without an acceptable
// spec finds the newest revision that compiles.
func (r *Reconciler) revise(ctx context.Context, p *pass) (step.Outcome, error) {
	m := p.memory
	known := m.latest > 0 && (m.accepted == nil || m.latestHash == m.compiled)
	if p.deleting && m.serving != nil {
		return step.Next(), nil
	}
	if known && (m.accepted != nil || m.serving != nil || m.recovered) {
		return step.Next(), nil
	}
	revisions, err := r.deps.Revisions.List(ctx, m.uid)
	if err != nil {
		return step.Next(), fmt.Errorf("listing the revisions: %w", err)
	}
	if len(revisions) > 0 {
		m.latest, m.latestHash = revisions[0].Spec.Revision, revisions[0].Spec.Hash
	}
	if m.accepted == nil || p.deleting {
		return step.Next(), r.recoverGood(ctx, p, revisions)
	}
	if m.latestHash == m.compiled {
		return step.Next(), nil
	}
	return step.Next(), r.issue(ctx, p, revisions)
}

// recoverGood takes the newest revision that compiles as the one that is served, once.
func (r *Reconciler) recoverGood(ctx context.Context, p *pass, revisions []v1alpha1.ResourceGroupRevision) error {
	m := p.memory
	if m.serving != nil || m.recovered {
		return nil
	}
	for _, revision := range revisions {
		spec, err := snapshotOf(revision)
		if err != nil {
			r.deps.Log.Error(err, "looking for a good revision", "group", p.name)
			continue
		}
		g, _, err := r.compileSpec(ctx, p.name, spec)
		if err != nil {
			return fmt.Errorf("compiling revision %d: %w", revision.Spec.Revision, err)
		}
		if g != nil {
			m.serving, m.served = g, revision.Spec.Revision
			r.memories.note(p.name, g)
			break
		}
	}
	m.recovered = true
	return nil
}

func snapshotOf(revision v1alpha1.ResourceGroupRevision) (map[string]any, error) {
	var spec map[string]any
	if err := utiljson.Unmarshal(revision.Spec.Snapshot.Raw, &spec); err != nil {
		return nil, fmt.Errorf("reading revision %q: %w", revision.Name, err)
	}
	return spec, nil
}

// issue makes the next revision, and drops the oldest ones.
func (r *Reconciler) issue(ctx context.Context, p *pass, old []v1alpha1.ResourceGroupRevision) error {
	m := p.memory
	raw, err := json.Marshal(specOf(p.group))
	if err != nil {
		return fmt.Errorf("encoding the spec: %w", err)
	}
	number := m.latest + 1
	revision := &v1alpha1.ResourceGroupRevision{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.KindResourceGroupRevision},
		ObjectMeta: metav1.ObjectMeta{
			Name: revisionName(p.name, number),
			Labels: map[string]string{
				v1alpha1.LabelResourceGroupUID: string(m.uid), v1alpha1.LabelRevisionHash: m.compiled[:min(16, len(m.compiled))],
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.KindResourceGroup, Name: p.name, UID: m.uid,
			}},
		},
		Spec: v1alpha1.ResourceGroupRevisionSpec{
			ResourceGroup: v1alpha1.ResourceGroupReference{Name: p.name, UID: m.uid},
			Revision:      number, Hash: m.compiled, Snapshot: runtime.RawExtension{Raw: raw},
		},
	}
	if err := r.deps.Revisions.Create(ctx, revision); err != nil {
		return fmt.Errorf("making revision %d: %w", number, err)
	}
	m.latest, m.latestHash = number, m.compiled
	return r.dropOld(ctx, p, old)
}

// dropOld keeps the newest revisions, the served one, and those that an instance is pinned to.
func (r *Reconciler) dropOld(ctx context.Context, p *pass, old []v1alpha1.ResourceGroupRevision) error {
	keep := r.deps.Config.RevisionsKept - 1
	if len(old) <= keep {
		return nil
	}
	pinned := r.pinned(p)
	for _, revision := range old[keep:] {
		number := revision.Spec.Revision
		if number == p.memory.served || pinned[fmt.Sprint(number)] {
			continue
		}
		if err := r.deps.Revisions.Delete(ctx, revision.Name); err != nil {
			return fmt.Errorf("dropping revision %d: %w", number, err)
		}
	}
	return nil
}

// pinned gives the revisions that instances say they stay on.
func (r *Reconciler) pinned(p *pass) map[string]bool {
	out := map[string]bool{}
	_, gvr, ok := p.kind()
	if !ok {
		return out
	}
	for _, u := range r.deps.Engine.Instances(gvr) {
		out[u.GetAnnotations()[v1alpha1.AnnotationRevision]] = true
	}
	return out
}

// maxName is the length of an object's name.
const maxName = 253

// revisionName is `name-3`; of a long name the end is cut and a hash stands for it.
func revisionName(group string, number int64) string {
	suffix := fmt.Sprintf("-%d", number)
	if len(group)+len(suffix) <= maxName {
		return group + suffix
	}
	sum := sha256.Sum256([]byte(group))
	mark := "-" + hex.EncodeToString(sum[:4])
	return group[:maxName-len(suffix)-len(mark)] + mark + suffix
}
