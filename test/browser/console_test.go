package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/plait-run/plait/test/world"
)

// TestFollowAFailure opens the console, finds an instance that waits, follows it to what it waits for, and sees it heal
// without a reload.
func TestFollowAFailure(t *testing.T) {
	s := shared.Space(t, "follow")
	s.Apply("{apiVersion: browser.example.com/v1, kind: Shop, metadata: {name: corner}}")
	s.Apply("{apiVersion: browser.example.com/v1, kind: Shop, metadata: {name: market, namespace: follow}, spec: {needs: other}}")
	s.WaitStatus("Shop", "corner", "state", "IN_PROGRESS")
	b := open(t)
	b.goTo("/instances")
	b.waitText("tbody tr", "corner")
	b.filter("corner follow")
	rows := eval[[]string](b, `[...document.querySelectorAll("tbody tr:not([hidden])")].map((r) => r.dataset.key)`)
	if len(rows) != 1 || !strings.HasSuffix(rows[0], "/follow/corner") {
		t.Fatalf("the filter shows %q", rows)
	}
	b.do(chromedp.Click(`tbody tr:not([hidden]) a`))
	b.waitText("h1", "follow/corner")
	b.waitText(".causes", "ConfigMap follow/settings")
	for _, scheme := range []string{"light", "dark"} {
		b.picture("waiting", scheme, 1280)
		b.picture("waiting", scheme, 390)
	}
	eval[string](b, `window.opened = "once"`)
	b.do(chromedp.Click("details summary"))
	s.Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {motto: fresh}}")
	b.waitText(".summary", "ACTIVE")
	b.waitText("pre", "state: ACTIVE")
	switch {
	case eval[string](b, "String(window.opened)") != "once":
		t.Error("the page was loaded anew")
	case !eval[bool](b, `document.querySelector("details").open`):
		t.Error("the YAML was closed by the change")
	case eval[bool](b, `!!document.querySelector(".causes")`):
		t.Error("what was wrong still stands there")
	}
	b.picture("active", "light", 1280)
	b.goTo("/o/secrets/follow/corner-password")
	b.waitText("pre", "(hidden)")
	if text := eval[string](b, "document.body.textContent"); strings.Contains(text, "correct-horse") {
		t.Error("the Secret is shown")
	}
}

// TestLists takes pictures of every list, with all states that a group and its instances can have, and of what fails.
func TestLists(t *testing.T) {
	s := shared.Space(t, "lists")
	s.Apply(refusedShops)
	s.Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}, data: {motto: fresh}}")
	s.Apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: taken-config}}")
	s.Apply("{apiVersion: browser.example.com/v1, kind: Shop, metadata: {name: well}}")
	s.Apply("{apiVersion: browser.example.com/v1, kind: Shop, metadata: {name: waiting}, spec: {needs: other}}")
	s.Apply("{apiVersion: browser.example.com/v1, kind: Shop, metadata: {name: taken, annotations: {plait.run/reconcil: suspended}}}")
	s.WaitStatus("Shop", "well", "state", "ACTIVE")
	s.WaitStatus("Shop", "waiting", "state", "IN_PROGRESS")
	s.WaitStatus("Shop", "taken", "state", "FAILED")
	s.WaitCondition("ResourceGroup", "refused", "GraphAccepted", "False/InvalidGraph")
	b := open(t)
	for name, page := range map[string]struct{ path, shows string }{
		"overview": {"/", "Overview"}, "groups": {"/groups", "ResourceGroups"}, "instances": {"/instances", "Instances"},
		"connections": {"/connections", "Connections"}, "workspaces": {"/workspaces", "Workspaces"},
		"failed": {"/o/shops.browser.example.com/lists/taken", "lists/taken"}, "refused": {"/o/resourcegroups.plait.run/-/refused", "refused"},
	} {
		b.goTo(page.path)
		b.waitText("h1", page.shows)
		for _, scheme := range []string{"light", "dark"} {
			b.picture(name, scheme, 1280)
			b.picture(name, scheme, 390)
		}
	}
}

// TestKeyboard goes from the first page to an object with the keyboard alone, and asks what a screen reader needs.
func TestKeyboard(t *testing.T) {
	s := shared.Space(t, "keys")
	s.Apply("{apiVersion: browser.example.com/v1, kind: Shop, metadata: {name: corner}}")
	b := open(t)
	b.do(chromedp.KeyEvent(kb.Tab))
	if at := eval[string](b, "document.activeElement.textContent"); at != "Skip to content" {
		t.Errorf("the first stop of the keyboard is %q", at)
	}
	for range 100 {
		if strings.HasPrefix(eval[string](b, "document.activeElement.textContent"), "Instances") {
			break
		}
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	b.do(chromedp.KeyEvent(kb.Enter))
	b.waitText("h1", "Instances")
	b.filter("keys")
	b.do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Enter))
	b.waitText("h1", "keys/corner")
	for what, query := range map[string]string{
		"a link or button without a text":   `a:not(:is([aria-label])), button`,
		"a part of the page without a name": `section:not([aria-labelledby]):not([aria-label])`,
		"a picture without a text":          `svg:not([aria-hidden="true"]):not([aria-label]):not(:has(title))`,
		"a field without a label":           `input:not([aria-label])`,
	} {
		const nameless = `(e) => e.textContent.trim() === "" && !(e.labels && e.labels.length)`
		found := eval[[]string](b, fmt.Sprintf("[...document.querySelectorAll(%q)].filter(%s).map((e) => e.outerHTML)", query, nameless))
		if len(found) > 0 {
			t.Errorf("%s: %q", what, found)
		}
	}
}

// crowd is as many instances as the list is to show without lag.
const crowd = 1000

// TestThousandInstances has the list of them filtered and brought up to date within the time of one blink.
func TestThousandInstances(t *testing.T) {
	s := shared.Space(t, "crowd")
	var documents strings.Builder
	for i := range crowd {
		fmt.Fprintf(&documents, "---\n{apiVersion: browser.example.com/v1, kind: Shop, metadata: {name: shop-%d}}\n", i)
	}
	s.Apply(documents.String())
	b := open(t)
	b.goTo("/instances?q=crowd")
	world.Eventually(t, "the list does not show them", func() error {
		if n := eval[int](b, `document.querySelectorAll("tbody tr:not([hidden])").length`); n < crowd {
			return fmt.Errorf("it shows %d", n)
		}
		return nil
	})
	filtering := b.took(`(async () => {
		const field = document.getElementById("filter");
		for (const text of ["crowd", "shop-77"]) {
			field.value = text;
			field.dispatchEvent(new Event("input", {bubbles: true}));
			document.body.offsetHeight;
		}
	})()`)
	if n := eval[int](b, `document.querySelectorAll("tbody tr:not([hidden])").length`); n != 11 {
		t.Errorf("the filter shows %d rows, want 11", n)
	}
	updating := b.took("refresh()")
	t.Logf("%d instances: filtered in %s, brought up to date in %s", crowd, filtering, updating)
	if filtering > 200*time.Millisecond || updating > 2*time.Second {
		t.Errorf("the list lags")
	}
	b.picture("crowd", "light", 1280)
}
