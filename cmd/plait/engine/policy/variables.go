package policy

import (
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
)

// variables give the entries as lists that go together. They are sorted by key: a map has no order, and the message is
// evaluated apart from the expression that it belongs to. A namespace that is empty stands for all of them.
func variables() []admissionv1.Variable {
	return []admissionv1.Variable{
		{Name: "accounts", Expression: "has(object.spec.defaultServiceAccounts) ? object.spec.defaultServiceAccounts : {}"},
		{Name: "unsorted", Expression: "variables.accounts.map(k, k)"},
		{Name: "ranks", Expression: "variables.unsorted.map(k, variables.unsorted.filter(other, other < k).size())"},
		{Name: "keys", Expression: fmt.Sprintf("[%s].filter(i, i < variables.unsorted.size()).map(i, variables.unsorted[variables.ranks.indexOf(i)])", counted())},
		{Name: "namespaces", Expression: "variables.keys.map(k, k == '*' ? '' : k != '' ? k : variables.accounts[k].split('/')[0])"},
		{Name: "names", Expression: "variables.keys.map(k, k != '' ? variables.accounts[k] : variables.accounts[k].contains('/') ? variables.accounts[k].split('/')[1] : '')"},
		{Name: "labels", Expression: "variables.keys.map(k, k == '' ? variables.accounts[k] : k + '/' + variables.accounts[k])"},
	}
}

// counted is `0, 1, 2, …`, an index for each entry.
func counted() string {
	out := make([]string, maxEntries)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return strings.Join(out, ", ")
}
