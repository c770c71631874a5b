package watch

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

func version(uid, resourceVersion string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{
		"namespace": "a", "name": "x", "uid": uid, "resourceVersion": resourceVersion,
	}}}
}

// TestOverlay runs scripts: w5 writes version 5, e5 is its event, d5 the deletion of the object at 5, and s5 a copy that
// holds version 5 already. What is read is the version after all of it.
func TestOverlay(t *testing.T) {
	tests := map[string]struct {
		script []string
		read   string // "" for the copy's
		echoes string // for every event y or n
	}{
		"answer":                     {[]string{"w5"}, "5", ""},
		"answer and its event":       {[]string{"w5", "e5"}, "", "y"},
		"two answers, two events":    {[]string{"w5", "w7", "e5"}, "7", "y"},
		"all events of two answers":  {[]string{"w5", "w7", "e5", "e7"}, "", "yy"},
		"foreign event between":      {[]string{"w5", "w7", "e5", "e6"}, "7", "yn"},
		"foreign event after":        {[]string{"w5", "e5", "e6"}, "", "yn"},
		"later event instead":        {[]string{"w5", "e6"}, "", "n"},
		"the copy was faster":        {[]string{"s5", "w5"}, "", ""},
		"answers in the wrong order": {[]string{"w7", "w5"}, "7", ""},
		"longer versions are later":  {[]string{"w99", "w100"}, "100", ""},
		"deletion":                   {[]string{"w5", "d8"}, "", ""},
	}
	for name, tt := range tests {
		o := newOverlay()
		var stored *unstructured.Unstructured
		echoes := ""
		for _, line := range tt.script {
			u := version("1", line[1:])
			switch line[0] {
			case 'w':
				o.put(u, time.Now(), func(types.NamespacedName) *unstructured.Unstructured { return stored })
			case 's':
				stored = u
			case 'd':
				o.gone(u)
			default:
				echoes += map[bool]string{true: "y", false: "n"}[o.see(u)]
			}
		}
		read := ""
		if got := o.get(types.NamespacedName{Namespace: "a", Name: "x"}); got != nil {
			read = got.GetResourceVersion()
		}
		if read != tt.read || echoes != tt.echoes {
			t.Errorf("%s: read %q, echoes %q; want %q, %q", name, read, echoes, tt.read, tt.echoes)
		}
	}
}

func TestOverlayOfNewObject(t *testing.T) {
	o := newOverlay()
	o.put(version("2", "9"), time.Now(), func(types.NamespacedName) *unstructured.Unstructured { return nil })
	o.gone(version("1", "7"))
	if o.get(types.NamespacedName{Namespace: "a", Name: "x"}) == nil {
		t.Error("the end of a former object drops the answer for the new one")
	}
}

func TestOverlayExpires(t *testing.T) {
	o := newOverlay()
	now := time.Now()
	o.put(version("1", "5"), now, func(types.NamespacedName) *unstructured.Unstructured { return nil })
	if dropped, next := o.expire(now.Add(overlayTime - 1)); len(dropped) != 0 || !next.Equal(now.Add(overlayTime)) {
		t.Errorf("dropped %v, next %v; want to wait", dropped, next)
	}
	if dropped, next := o.expire(now.Add(overlayTime)); len(dropped) != 1 || !next.IsZero() {
		t.Errorf("dropped %v, next %v; want it dropped", dropped, next)
	}
}
