package instance

import (
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/track"
)

// awaitAccount has the instance looked at again as soon as the account is there. A pass that gets further drops the wish.
func (c *Controller) awaitAccount(p *pass, id identity.Identity) {
	c.clients.Wishes.AddWanted(p.trackOwner(c.gvr), nil, []track.External{
		{Resource: identity.ServiceAccounts, Namespace: id.Namespace, Name: id.Name},
	})
}
