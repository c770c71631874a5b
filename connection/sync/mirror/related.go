package mirror

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/api/v1alpha1"
)

// secretTypes are those that may travel. Tokens of service accounts and releases of package managers are none.
var secretTypes = []string{
	"", "Opaque", "kubernetes.io/tls", "kubernetes.io/dockerconfigjson", "kubernetes.io/basic-auth", "kubernetes.io/ssh-auth",
}

// RefuseRelated says why a Secret or ConfigMap may not be copied into a namespace; empty: it may.
func RefuseRelated(source *unstructured.Unstructured, into string) string {
	kind, _, _ := unstructured.NestedString(source.Object, "type")
	annotations, labels := source.GetAnnotations(), source.GetLabels()
	switch {
	case strings.HasPrefix(into, "kube-"):
		return fmt.Sprintf("nothing is copied into namespace %q", into)
	case source.GetKind() == "Secret" && !slices.Contains(secretTypes, kind):
		return fmt.Sprintf("Secrets of type %q are not copied", kind)
	case slices.Contains(source.GetFinalizers(), v1alpha1.FinalizerCleanup):
		return "it holds the kubeconfig of a Connection"
	case slices.ContainsFunc(marks, func(key string) bool { return isCopyMark(key) && (annotations[key] != "" || labels[key] != "") }):
		return "it is a copy itself"
	default:
		return ""
	}
}

func isCopyMark(key string) bool {
	return key == v1alpha1.AnnotationConsumerObjectUID || key == v1alpha1.AnnotationProviderObjectUID
}

// Inbound is the maker of copies in this cluster of what a provider has.
func (m Maker) Inbound() Maker {
	m.inbound = true
	return m
}

// words are the keys of the marks that a maker leaves.
type words struct{ label, cluster, object, manager string }

func (m Maker) words() words {
	if m.inbound {
		return words{v1alpha1.AnnotationProviderClusterUID, v1alpha1.AnnotationProviderClusterUID, v1alpha1.AnnotationProviderObjectUID, v1alpha1.SyncManager}
	}
	return words{v1alpha1.LabelConsumerClusterUID, v1alpha1.AnnotationConsumerClusterUID, v1alpha1.AnnotationConsumerObjectUID,
		v1alpha1.SyncFieldManagerPrefix + string(m.Cluster)[:min(managerDigits, len(m.Cluster))]}
}

// OriginOf gives the namespace of the consumer's object that a copy is of; empty: the copy does not say.
func OriginOf(live *unstructured.Unstructured) string {
	return live.GetAnnotations()[v1alpha1.AnnotationConsumerNamespace]
}
