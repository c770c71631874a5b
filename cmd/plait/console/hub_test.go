package console

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHubTellsEveryPageOnce(t *testing.T) {
	h := newHub()
	h.tell("/o/early")
	one, other := h.open(), h.open()
	h.tell("/o/b")
	h.tell("/o/a")
	h.tell("/o/b")
	for _, p := range []*page{one, other} {
		if diff := cmp.Diff([]string{"/o/a", "/o/b"}, h.take(p)); diff != "" {
			t.Error(diff)
		}
		if again := h.take(p); len(again) > 0 {
			t.Errorf("told again: %v", again)
		}
	}
	h.close(one)
	h.tell("/o/c")
	if got := h.take(one); len(got) > 0 {
		t.Errorf("a closed page is told of %v", got)
	}
}

func TestHubStreams(t *testing.T) {
	h := newHub()
	web := httptest.NewServer(h)
	defer web.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, web.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := web.Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if kind := response.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("the type is %q", kind)
	}
	h.tell("/o/a")
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data: ") {
			break
		}
	}
	if got := lines.Text(); got != `data: ["/o/a"]` {
		t.Errorf("got %q: %v", got, lines.Err())
	}
}
