package resourcegroup

import (
	"time"

	"github.com/plait-run/plait/api/v1alpha1"
)

// conditionsOf gives all conditions, causes first, with the old transition time where the status is the old one.
func conditionsOf(p *pass, have map[string]any) []any {
	sayAccounts(p)
	sayDefaults(p)
	sayReadySum(p)
	old := map[string]map[string]any{}
	list, _ := have["conditions"].([]any)
	for _, item := range list {
		if c, ok := item.(map[string]any); ok {
			kind, _ := c["type"].(string)
			old[kind] = c
		}
	}
	var out []any
	for _, kind := range v1alpha1.AllResourceGroupConditions() {
		v := p.verdicts[kind]
		var at any = p.began.UTC().Format(time.RFC3339)
		if before := old[string(kind)]; before != nil && before["status"] == v.status {
			at = before["lastTransitionTime"]
		}
		out = append(out, map[string]any{
			"type": string(kind), "status": v.status, "reason": string(v.reason), "message": v.message,
			"lastTransitionTime": at, "observedGeneration": p.group.GetGeneration(),
		})
	}
	return out
}

// sayAccounts tells whether somebody checks that authors may use the accounts that they name.
func sayAccounts(p *pass) {
	if _, said := p.verdicts[v1alpha1.ConditionServiceAccountsAllowed]; said {
		return
	}
	accounts, isMap := specOf(p.group)["defaultServiceAccounts"].(map[string]any)
	if len(accounts) == 0 {
		if isMap || p.accountsRequired {
			p.say(v1alpha1.ConditionServiceAccountsAllowed, "False", v1alpha1.ReasonDenied,
				"no service account is named, so that nobody acts for the instances: name them in spec.defaultServiceAccounts")
			return
		}
		p.say(v1alpha1.ConditionServiceAccountsAllowed, "True", v1alpha1.ReasonAllowed, "no service account is named")
		return
	}
	if p.accountsChecked {
		p.say(v1alpha1.ConditionServiceAccountsAllowed, "True", v1alpha1.ReasonAllowed, "the author may use the named service accounts")
		return
	}
	p.say(v1alpha1.ConditionServiceAccountsAllowed, "Unknown", v1alpha1.ReasonNotChecked,
		"nothing checks whether the author may use the named service accounts: the admission policy is not installed")
}

// sayDefaults fills in what this pass did not come to.
func sayDefaults(p *pass) {
	for _, d := range []struct {
		kind    v1alpha1.ConditionType
		reason  v1alpha1.Reason
		message string
	}{
		{v1alpha1.ConditionGraphAccepted, v1alpha1.ReasonGroupUnavailable, "the document could not be checked yet"},
		{v1alpha1.ConditionKindsAvailable, v1alpha1.ReasonGroupUnavailable, "not known while the document is not accepted"},
		{v1alpha1.ConditionKindServed, v1alpha1.ReasonNotEstablished, "there is no accepted document to serve"},
		{v1alpha1.ConditionControllerReady, v1alpha1.ReasonCacheNotSynced, "the kind is not served yet"},
	} {
		if _, said := p.verdicts[d.kind]; !said {
			p.say(d.kind, "Unknown", d.reason, d.message)
		}
	}
}

// sayReadySum makes Ready of the others: the first that is not well gives its reason. Kinds that are missing, and
// accounts that nobody checks, keep nothing from being served.
func sayReadySum(p *pass) {
	if _, said := p.verdicts[v1alpha1.ConditionReady]; said {
		return
	}
	for _, kind := range []v1alpha1.ConditionType{
		v1alpha1.ConditionGraphAccepted, v1alpha1.ConditionKindServed, v1alpha1.ConditionControllerReady,
	} {
		if v := p.verdicts[kind]; v.status != "True" {
			p.say(v1alpha1.ConditionReady, "False", v.reason, v.message)
			return
		}
	}
	p.say(v1alpha1.ConditionReady, "True", v1alpha1.ReasonAvailable, "the newest revision is served")
}
