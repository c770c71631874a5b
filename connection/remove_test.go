package connection

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestOpenedIsWhatWasClosed(t *testing.T) {
	definition := &apiextensionsv1.CustomResourceDefinition{Spec: apiextensionsv1.CustomResourceDefinitionSpec{
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1"}, {Name: "v2", Served: true, Storage: true}},
	}}
	if opened, wasClosed := openedFrom(definition, []string{"v2"}); opened != definition || wasClosed {
		t.Error("one that is not closed was opened")
	}
	closed := closedFrom(definition)
	if version := servedVersion(closed); version != closedVersion {
		t.Errorf("closed, it serves %q", version)
	}
	opened, wasClosed := openedFrom(closed, []string{"v2", "v3"})
	if diff := cmp.Diff(definition, opened); diff != "" || !wasClosed {
		t.Errorf("opened %t (-want +got):\n%s", wasClosed, diff)
	}
	opened, _ = openedFrom(closed, []string{"v3"})
	if version := servedVersion(opened); version != "v1" {
		t.Errorf("of an export without any of its versions it serves %q, want all of them", version)
	}
	closed.DeletionTimestamp = &metav1.Time{}
	if opened, wasClosed = openedFrom(closed, []string{"v2"}); opened != closed || wasClosed {
		t.Error("one that is going was opened")
	}
}
