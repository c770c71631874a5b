package world

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// SweepAtEnd removes, when the test ends, all ResourceGroups and the kinds of an API group with their instances. It has to
// be called before the engine is started, so that it happens when that has stopped.
func (s *Space) SweepAtEnd(apiGroup string) {
	s.t.Cleanup(func() {
		for _, kind := range []string{"resourcegroups.plait.run", "resourcegrouprevisions.plait.run"} {
			s.sweepKind(kind)
		}
		definitions, err := s.At("customresourcedefinitions").List(context.Background(), metav1.ListOptions{})
		if err != nil {
			s.t.Errorf("sweeping: %v", err)
			return
		}
		for _, d := range definitions.Items {
			if _, group, _ := strings.Cut(d.GetName(), "."); group == apiGroup {
				s.sweepKind(d.GetName())
				_ = s.At("customresourcedefinitions").Delete(context.Background(), d.GetName(), metav1.DeleteOptions{})
			}
		}
	})
}

// sweepKind removes all objects of a kind, whatever holds them. A kind that is not there has none.
func (s *Space) sweepKind(kind string) {
	mapping, err := s.mappingOf(kind)
	if err != nil {
		return
	}
	list, err := s.Client.Resource(mapping.Resource).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return
	}
	for _, u := range list.Items {
		release(s.place(mapping, u.GetNamespace()), u.GetName())
	}
}

func release(at dynamic.ResourceInterface, name string) {
	free := []byte(`{"metadata":{"finalizers":null}}`)
	_, _ = at.Patch(context.Background(), name, types.MergePatchType, free, metav1.PatchOptions{})
	_ = at.Delete(context.Background(), name, metav1.DeleteOptions{})
}
