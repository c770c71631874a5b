package instance

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/dynamiccontroller/identity"
	"github.com/plait-run/plait/dynamiccontroller/step"
)

// resolveIdentity finds out who writes the children; without one nothing is written.
func (c *Controller) resolveIdentity(ctx context.Context, p *pass) (step.Outcome, error) {
	id, refusal := identity.Choose(c.accountsOf(p), c.settings, p.key.Namespace)
	if refusal != nil {
		return c.refuse(p, v1alpha1.Reason(refusal.Reason), refusal.Message), nil
	}
	p.acting = id
	if isAsked(p) {
		c.clients.Rights.Forget(id) // who asks for a pass may have granted a right just now
	}
	exists, err := c.isThere(ctx, id)
	if apierrors.IsForbidden(err) {
		return c.refuse(p, v1alpha1.ReasonForbidden, engineLacks(id)), nil
	}
	if err != nil {
		return step.Next(), c.fail(p, v1alpha1.ConditionServiceAccountResolved, err)
	}
	if !exists {
		c.awaitAccount(p, id)
		return c.refuse(p, v1alpha1.ReasonServiceAccountNotFound,
			fmt.Sprintf("the service account %s does not exist; create it, or name another one in spec.defaultServiceAccounts of the ResourceGroup", id)), nil
	}
	if p.api, err = c.clients.Acting(id); err != nil {
		return step.Next(), c.fail(p, v1alpha1.ConditionServiceAccountResolved, err)
	}
	return step.Next(), nil
}

// engineLacks tells what the engine needs to act as an account.
func engineLacks(id identity.Identity) string {
	return fmt.Sprintf("the engine may not act as the service account %s: it needs the rights to get and to impersonate serviceaccounts in namespace %s",
		id, id.Namespace)
}

func (c *Controller) isThere(ctx context.Context, id identity.Identity) (bool, error) {
	if id.Self {
		return true, nil
	}
	exists, err := c.clients.Rights.Exists(ctx, id)
	if err != nil {
		return false, fmt.Errorf("looking for service account %q: %w", id, err)
	}
	return exists, nil
}

func (c *Controller) refuse(p *pass, reason v1alpha1.Reason, message string) step.Outcome {
	p.problem = &problem{
		condition: v1alpha1.ConditionServiceAccountResolved, reason: reason, message: message, state: StateFailed,
	}
	p.lookAgain(firstRetry)
	return step.Stop()
}

// fail notes a passing fault of the pass as a whole, and gives it back.
func (c *Controller) fail(p *pass, condition v1alpha1.ConditionType, err error) error {
	p.problem = &problem{condition: condition, reason: v1alpha1.ReasonApplyError, message: err.Error(), state: StateError}
	return err
}
