package graph

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestNameFaults(t *testing.T) {
	rbac := "rbac.authorization.k8s.io"
	for _, row := range []struct {
		group, kind, name string
		ok                bool
	}{
		{"", "ConfigMap", "a.b-c", true}, {"", "ConfigMap", "A", false}, {"", "ConfigMap", "", false},
		{"", "ConfigMap", strings.Repeat("a", 253), true}, {"", "ConfigMap", strings.Repeat("a", 254), false},
		{"", "Service", "web", true}, {"", "Service", "a.b", false}, {"", "Namespace", "a.b", false},
		{"serving.example.com", "Service", "a.b", true},
		{rbac, "Role", "system:a", true}, {rbac, "ClusterRole", "a/b", false}, {rbac, "RoleBinding", "", false},
		{rbac, "Role", strings.Repeat("a", 254), false}, {"iam.example.com", "Role", "a:b", false},
		{"networking.k8s.io", "IPAddress", "2001:db8::1", true},
	} {
		faults := NameFaults(schema.GroupKind{Group: row.group, Kind: row.kind}, row.name)
		if (len(faults) == 0) != row.ok {
			t.Errorf("%s %s %q: %v", row.group, row.kind, row.name, faults)
		}
	}
}
