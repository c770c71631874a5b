package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/graph/crd"
)

// Reasons of exports that are installed, or are to be.
const (
	ReasonNotEstablished = v1alpha1.ReasonNotEstablished
	ReasonBreakingChange = v1alpha1.ReasonBreakingChange
	// ReasonNotOurs: somebody else has made the definition.
	ReasonNotOurs v1alpha1.Reason = "NotOurs"
	// ReasonNamesTaken: another kind here has one of the names.
	ReasonNamesTaken v1alpha1.Reason = "NamesTaken"
	// ReasonOutdated: updatePolicy Once keeps an older schema than the provider's.
	ReasonOutdated v1alpha1.Reason = "Outdated"
	// ReasonEdited: updatePolicy Once keeps a schema that was edited here.
	ReasonEdited v1alpha1.Reason = "Edited"
)

// Question is what Decide decides on.
type Question struct {
	Connection string
	Export     Export
	Wanted     bool // by the pull policy, or installed already
	Once       bool // updatePolicy Once
	// Have is the definition of that name in this cluster, ours or not; nil: there is none.
	Have *apiextensionsv1.CustomResourceDefinition
}

// Answer is what is to be done with one definition, and where the API stands then.
type Answer struct {
	Create  *apiextensionsv1.CustomResourceDefinition // to be made; nil: none
	Replace *apiextensionsv1.CustomResourceDefinition // to be put in the place of Have; nil: none
	State   v1alpha1.ExportedAPIState
	Reason  v1alpha1.Reason
	Message string
}

// Decide says what becomes of one export.
func Decide(q Question) Answer {
	switch {
	case q.Export.Fault != Fault{}:
		return Answer{State: q.Export.Fault.State, Reason: q.Export.Fault.Reason, Message: q.Export.Fault.Message}
	case q.Have == nil && !q.Wanted:
		return Answer{State: v1alpha1.ExportedAPIAvailable}
	case q.Have == nil:
		return Answer{Create: q.marked(q.Export.Definition.DeepCopy()), State: v1alpha1.ExportedAPIAvailable,
			Reason: ReasonNotEstablished, Message: "the API server is taking up the definition"}
	case !IsOurs(q.Have, q.Connection):
		return q.foreign()
	}
	return q.update()
}

// foreign leaves the definition of somebody else alone, whether or not the API is wanted.
func (q Question) foreign() Answer {
	if !q.Wanted {
		return Answer{State: v1alpha1.ExportedAPIAvailable}
	}
	whose := "was not installed by Plait: delete it, or exclude the API in spec.schema.exclude"
	if name := q.Have.Labels[v1alpha1.LabelConnection]; name != "" {
		whose = fmt.Sprintf("is installed for Connection %q: exclude the API in one of the two, or hand it over by its label %s",
			name, v1alpha1.LabelConnection)
	}
	return Answer{State: v1alpha1.ExportedAPIConflict, Reason: ReasonNotOurs,
		Message: fmt.Sprintf("CustomResourceDefinition %q exists and %s", q.Have.Name, whose)}
}

// IsOurs tells whether a definition was installed for a Connection: the label says so, or the annotation where the label
// was taken away.
func IsOurs(definition *apiextensionsv1.CustomResourceDefinition, connection string) bool {
	if name, ok := definition.Labels[v1alpha1.LabelConnection]; ok {
		return name == connection
	}
	return definition.Annotations[v1alpha1.AnnotationConnection] == connection
}

// update brings ours up to date. What was edited here is repaired; what the provider changed must not break objects.
func (q Question) update() Answer {
	final := q.marked(withStored(q.Export.Definition, q.Have))
	if q.Have.DeletionTimestamp != nil {
		return Answer{State: v1alpha1.ExportedAPIAvailable, Reason: ReasonNotEstablished,
			Message: "its definition is being deleted; it is made anew when it is gone"}
	}
	if crd.Compare(q.Have, final).Equal {
		return q.standing()
	}
	isRepair := q.Have.Annotations[v1alpha1.AnnotationSchemaHash] == final.Annotations[v1alpha1.AnnotationSchemaHash]
	if q.Once && !isRepair {
		return q.kept()
	}
	if breaking := crd.Compare(forComparison(q.Have, final), final).Breaking; len(breaking) > 0 && !isRepair {
		return Answer{State: v1alpha1.ExportedAPIConflict, Reason: ReasonBreakingChange, Message: fmt.Sprintf(
			"the provider's new schema would break objects here, so the installed one stays: %s. If none is left here, delete the "+
				"CustomResourceDefinition: it is installed anew", someOf(breaking))}
	}
	answer := q.standing()
	answer.Replace = final
	return answer
}

// kept is an installed definition that updatePolicy Once keeps.
func (q Question) kept() Answer {
	answer := q.standing()
	if answer.State != v1alpha1.ExportedAPIInstalled {
		return answer
	}
	if SpecHash(q.Have) != q.Have.Annotations[v1alpha1.AnnotationSchemaHash] {
		answer.Reason, answer.Message = ReasonEdited, "the definition was edited here, and the provider's has changed since, so that it is left as it is"
		return answer
	}
	answer.Reason, answer.Message = ReasonOutdated, "the provider has another schema by now; updatePolicy Once keeps the installed one"
	return answer
}

// standing says where an installed definition stands by what the API server says of it.
func (q Question) standing() Answer {
	for _, c := range q.Have.Status.Conditions {
		switch {
		case c.Type == apiextensionsv1.NamesAccepted && c.Status == apiextensionsv1.ConditionFalse:
			return Answer{State: v1alpha1.ExportedAPIConflict, Reason: ReasonNamesTaken, Message: "the API server does not accept its names: " + c.Message}
		case c.Type == apiextensionsv1.Established && c.Status == apiextensionsv1.ConditionTrue:
			return Answer{State: v1alpha1.ExportedAPIInstalled}
		}
	}
	return Answer{State: v1alpha1.ExportedAPIAvailable, Reason: ReasonNotEstablished, Message: "the API server is taking up the definition"}
}

// marked puts our marks on a definition, which it takes over; labels and annotations of others stay.
func (q Question) marked(definition *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	labels, annotations := map[string]string{}, map[string]string{}
	if q.Have != nil {
		maps.Copy(labels, q.Have.Labels)
		maps.Copy(annotations, q.Have.Annotations)
	}
	labels[v1alpha1.LabelManaged], labels[v1alpha1.LabelConnection] = v1alpha1.True, q.Connection
	annotations[v1alpha1.AnnotationSchemaHash], annotations[v1alpha1.AnnotationConnection] = SpecHash(definition), q.Connection
	definition.Labels, definition.Annotations = labels, annotations
	return definition
}

// withStored gives a copy of wanted that keeps, unserved, the versions that objects here may still be stored in.
func withStored(wanted, have *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	out := wanted.DeepCopy()
	for _, v := range have.Spec.Versions {
		isWanted := slices.ContainsFunc(out.Spec.Versions, func(w apiextensionsv1.CustomResourceDefinitionVersion) bool { return w.Name == v.Name })
		if isWanted || !slices.Contains(have.Status.StoredVersions, v.Name) {
			continue
		}
		kept := *v.DeepCopy()
		kept.Served, kept.Storage = false, false
		out.Spec.Versions = append(out.Spec.Versions, kept)
	}
	return out
}

// forComparison gives the definition that is served as its objects will be read: those of a version that is not served
// any more are read by the schema of the new storage version.
func forComparison(have, final *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinition {
	storage := ""
	served := map[string]bool{}
	for _, v := range final.Spec.Versions {
		served[v.Name] = v.Served
		if v.Storage {
			storage = v.Name
		}
	}
	out := have.DeepCopy()
	for i, v := range out.Spec.Versions {
		if served[v.Name] {
			continue
		}
		out.Spec.Versions[i].Name = storage
		out.Spec.Versions[i].Served = served[storage] && slices.Contains(have.Status.StoredVersions, v.Name)
	}
	return out
}

// SpecHash identifies the spec of a definition, whatever was left to defaults.
func SpecHash(definition *apiextensionsv1.CustomResourceDefinition) string {
	spec := definition.Spec.DeepCopy()
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(spec)
	raw, err := canonical(spec)
	if err != nil { // embedded JSON that is none; no API server lets such a definition in
		return "unreadable"
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])[:16]
}

// canonical is JSON with sorted keys, however embedded values were spelled.
func canonical(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var plain any
	if err := json.Unmarshal(raw, &plain); err != nil {
		return nil, err
	}
	return json.Marshal(plain)
}
