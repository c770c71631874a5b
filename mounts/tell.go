package mounts

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/plait-run/plait/mounts/contract"
)

// tell records an event where a Workspace says something else than before the pass.
func (c *Controller) tell(p *pass, before contract.Workspace) {
	had, now := before.Condition, p.workspace.Condition
	if now == nil || had != nil && had.Status == now.Status && had.Reason == now.Reason {
		return
	}
	kind := corev1.EventTypeWarning
	if now.Status == "True" {
		kind = corev1.EventTypeNormal
	}
	c.cfg.Recorder.Eventf(p.object, nil, kind, string(now.Reason), "Mount", "%s", now.Message)
	c.log.Info("A Workspace changed", "workspace", p.key.Name, "api", p.key.API.String(), "reason", string(now.Reason), "message", now.Message)
}
