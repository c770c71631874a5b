package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/plait-run/plait/graph/diag"
)

const diagnosticsIntro = `# Diagnostics

What ` + "`plait validate`" + ` and the condition ` + "`GraphAccepted`" + ` of a ResourceGroup say is wrong: a code, the place, one line, and
often what to write instead. All problems of a document come at once, by their place in it; of more than 50 the rest is
counted. An *error* keeps the document from being served, a *warning* does not.

A code never changes its meaning. An example shows the part of a ResourceGroup that matters: one that starts with a dash
stands under ` + "`spec.resources`" + `, and sees the inputs ` + "`name`, `size` and `zones`" + `. Below it stands what Plait says.
`

// diagnosticsPage is the reference of diagnostics.
func diagnosticsPage(ctx context.Context) (string, error) {
	var b strings.Builder
	b.WriteString(generated + diagnosticsIntro)
	all := diag.Reference()
	for _, stage := range diag.Stages() {
		fmt.Fprintf(&b, "\n## %s\n", stage.Title)
		for _, e := range all {
			if !strings.HasPrefix(string(e.Code), stage.Prefix) {
				continue
			}
			said, err := answer(ctx, e)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "\n### %s\n\n**%s.** %s\n%s\n\n```yaml\n%s```\n```\n%s\n```\n", e.Code, e.Title, e.Why, e.Cure, e.Example(), said)
		}
	}
	return b.String(), nil
}

// answer gives the first diagnostic of the code that its example provokes, without a position: the example is a part.
func answer(ctx context.Context, e diag.Explanation) (string, error) {
	found, err := provoked(ctx, e)
	if err != nil {
		return "", err
	}
	for _, d := range found {
		if d.Code == e.Code {
			d.Position = diag.Position{}
			return d.String(), nil
		}
	}
	return "", fmt.Errorf("the example of %s does not provoke it, but %v", e.Code, found)
}
