package engine

import (
	"slices"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/mounts/contract"
)

// The parts of an engine.
const (
	partInstances   = "instances"   // ResourceGroups and their instances
	partConnections = "connections" // Connections to providers
	partMounts      = "mounts"      // Workspaces
)

// parts are all of them.
var parts = []string{partInstances, partConnections, partMounts}

// runs tells whether a part runs.
func (o *Options) runs(part string) bool { return slices.Contains(o.Enable, part) }

// kinds gives Plait's own kinds that the parts need; only their definitions are installed.
func (o *Options) kinds() []string {
	var out []string
	if o.runs(partInstances) {
		out = append(out, v1alpha1.KindResourceGroup, "ResourceGroupRevision")
	}
	if o.runs(partConnections) {
		out = append(out, v1alpha1.KindConnection, v1alpha1.KindClusterBinding, v1alpha1.KindBinding)
	}
	if o.runs(partMounts) && slices.Contains(o.WorkspaceAPIs, contract.Plait.String()) {
		out = append(out, contract.Kind)
	}
	return out
}
