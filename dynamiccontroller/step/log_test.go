package step_test

import (
	"testing"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/plait-run/plait/dynamiccontroller/step"
)

func TestLogConstructor(t *testing.T) {
	var lines []string
	log := step.LogConstructor(funcr.New(func(_, args string) { lines = append(lines, args) }, funcr.Options{}), "shops")
	log(nil).Info("x")
	log(&reconcile.Request{NamespacedName: types.NamespacedName{Name: "a"}}).Info("x")
	log(&reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "team", Name: "a"}}).Info("x")
	want := []string{
		`"level"=0 "msg"="x" "controller"="shops"`,
		`"level"=0 "msg"="x" "controller"="shops" "name"="a"`,
		`"level"=0 "msg"="x" "controller"="shops" "namespace"="team" "name"="a"`,
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}
