package apply

import (
	"fmt"
	"testing"
)

// BenchmarkSkip is the decision that a settled child needs no write.
func BenchmarkSkip(b *testing.B) {
	data := map[string]any{}
	for i := range 20 {
		data[fmt.Sprintf("key-%d", i)] = "value"
	}
	wanted := configMap(data)
	live := stored(b, testOwner().Marked(wanted))
	b.ReportAllocs()
	for b.Loop() {
		if d := testOwner().Compare(wanted, live); !d.IsNone(nil) {
			b.Fatalf("a settled child differs: %+v", d)
		}
	}
}
