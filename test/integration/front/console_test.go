package front_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/sync/errgroup"

	"github.com/plait-run/plait/cmd/plait/console"
	"github.com/plait-run/plait/test/world"
)

// browser is somebody who has opened the printed URL.
type browser struct {
	t      *testing.T
	base   string
	client *http.Client
}

// open starts a console and exchanges its token.
func open(t *testing.T) *browser {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- console.Run(ctx, console.Options{Config: shared.RESTConfig(), Ready: func(url string) { ready <- url }})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the console ended with %v", err)
		}
	})
	var address string
	select {
	case address = <-ready:
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, client: &http.Client{Jar: jar}}
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	b.base = parsed.Scheme + "://" + parsed.Host
	b.get("/?" + parsed.RawQuery)
	return b
}

// get gives a page as text, once it is well.
func (b *browser) get(path string) string {
	b.t.Helper()
	response, err := b.client.Get(b.base + path)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: %s %v\n%s", path, response.Status, err, body)
	}
	return string(body)
}

// listen follows the stream of changes until one is of the path.
func (b *browser) listen(path string) <-chan error {
	out := make(chan error, 1)
	ctx, cancel := context.WithTimeout(b.t.Context(), world.Patience)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.base+"/changes", nil)
	if err != nil {
		b.t.Fatal(err)
	}
	response, err := b.client.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	go func() {
		defer cancel()
		defer func() { _ = response.Body.Close() }()
		lines := bufio.NewScanner(response.Body)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			var paths []string
			if ok && json.Unmarshal([]byte(data), &paths) == nil && slices.Contains(paths, path) {
				out <- nil
				return
			}
		}
		out <- fmt.Errorf("the stream has ended: %w", lines.Err())
	}()
	return out
}

// TestConsoleFollowsAFailure opens the console, finds an instance that fails, sees why, mends it, and is told.
func TestConsoleFollowsAFailure(t *testing.T) {
	s := shared.Space(t, "console")
	s.Apply(deployer)
	s.Apply(site(""))
	s.WaitReady("Site", "s1", "False/Forbidden")
	b := open(t)
	const object = "/o/sites.front.example.com/console/s1"
	world.Eventually(t, "the list has no such instance", func() error {
		page := b.get("/instances?q=console")
		if row := elementOf(page, "tr", "data-key", object); !strings.Contains(row, "FAILED") {
			return fmt.Errorf("the row is %q", row)
		}
		return nil
	})
	page := b.get(object)
	for _, want := range []string{
		`id="card-web"`, `class="card plain bad"`, "node config (ConfigMap console/s1-config)", "kubectl create rolebinding deployer -n console",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the instance lacks %q", want)
		}
	}
	changed := b.listen(object)
	s.Apply(rights(s.Namespace))
	s.Patch("Site", "s1", again)
	if err := <-changed; err != nil {
		t.Fatal(err)
	}
	s.WaitStatus("Site", "s1", "state", "ACTIVE")
	world.Eventually(t, "the page does not heal", func() error {
		if page := b.get(object); strings.Contains(page, `class="card plain bad"`) || !strings.Contains(page, ">ACTIVE<") {
			return fmt.Errorf("it is\n%s", page)
		}
		return nil
	})
	secret := b.get("/o/secrets/console/s1-password")
	if !strings.Contains(secret, "(hidden)") || strings.Contains(secret, "Y29ycmVjdC1ob3JzZQ==") || strings.Contains(secret, "correct-horse") {
		t.Errorf("the Secret is shown as\n%s", secret)
	}
	for _, path := range []string{"/", "/groups", "/connections", "/workspaces", "/o/resourcegroups.plait.run/-/sites"} {
		wellFormed(t, path, b.get(path))
	}
}

// wellFormed wants a page whose links have words and whose controls have labels, and that holds no script or style itself.
func wellFormed(t *testing.T, path, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	ids, links := map[string]bool{}, 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attributes := map[string]string{}
		for _, a := range n.Attr {
			attributes[a.Key] = a.Val
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				t.Errorf("%s: <%s> has %s, which the policy forbids", path, n.Data, a.Key)
			}
		}
		if id := attributes["id"]; id != "" && ids[id] {
			t.Errorf("%s: the id %q stands twice", path, id)
		}
		ids[attributes["id"]] = true
		switch n.Data {
		case "a":
			links++
			if strings.TrimSpace(textOf(n)) == "" {
				t.Errorf("%s: a link to %s has no words", path, attributes["href"])
			}
		case "style":
			t.Errorf("%s: there is a style in the page", path)
		case "script":
			if attributes["src"] == "" {
				t.Errorf("%s: there is a script in the page", path)
			}
		}
	}
	if links < 6 || !ids["main"] || !ids["live"] {
		t.Errorf("%s: %d links, ids %v", path, links, ids)
	}
}

func textOf(n *html.Node) string {
	var out strings.Builder
	for part := range n.Descendants() {
		if part.Type == html.TextNode {
			out.WriteString(part.Data)
		}
	}
	return out.String()
}

// elementOf gives the words of the element with an attribute; "" when there is none.
func elementOf(page, tag, attribute, value string) string {
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return ""
	}
	for n := range root.Descendants() {
		if n.Data == tag && slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == attribute && a.Val == value }) {
			return textOf(n)
		}
	}
	return ""
}

const many = 1000

// TestManyInstances lists a thousand instances without lag.
func TestManyInstances(t *testing.T) {
	s := shared.Space(t, "many")
	s.Apply(`
apiVersion: plait.run/v1alpha1
kind: ResourceGroup
metadata: {name: crowds, annotations: {plait.run/reconcile: suspended}}
spec:
  schema: {apiVersion: v1, group: front.example.com, kind: Crowd}
  resources: [{id: one, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${schema.metadata.name}"}}}]`)
	s.WaitStatus("ResourceGroup", "crowds", "state", "Active")
	var group errgroup.Group
	group.SetLimit(16)
	for i := range many {
		group.Go(func() error {
			_, err := s.World.Apply(t.Context(), s.Namespace, fmt.Sprintf("{apiVersion: front.example.com/v1, kind: Crowd, metadata: {name: c-%04d}}", i))
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	b := open(t)
	world.Eventually(t, "not all are listed", func() error {
		if n := strings.Count(b.get("/instances"), `<tr data-key="/o/crowds.front.example.com/many/`); n != many {
			return fmt.Errorf("%d are listed", n)
		}
		return nil
	})
	started := time.Now()
	page := b.get("/instances")
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("a list of %d instances takes %s", many, took)
	} else {
		t.Logf("a list of %d instances takes %s and has %d KiB", many, took, len(page)>>10)
	}
}
