package console

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	togetherTime = 250 * time.Millisecond // changes within it are told at once
	aliveTime    = 20 * time.Second       // between signs of life
)

// hub tells open pages what has changed. Safe for concurrent use.
type hub struct {
	mu    sync.Mutex
	pages map[*page]bool
}

// page is one open page.
type page struct {
	changed map[string]bool // paths of objects, since they were told last; of the hub's lock
	wake    chan struct{}   // has room for one
}

func newHub() *hub { return &hub{pages: map[*page]bool{}} }

// tell notes for every page that an object has changed.
func (h *hub) tell(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for p := range h.pages {
		p.changed[path] = true
		select {
		case p.wake <- struct{}{}:
		default:
		}
	}
}

func (h *hub) open() *page {
	p := &page{changed: map[string]bool{}, wake: make(chan struct{}, 1)}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pages[p] = true
	return p
}

func (h *hub) close(p *page) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.pages, p)
}

// take gives what has changed since the last time, sorted.
func (h *hub) take(p *page) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := slices.Sorted(maps.Keys(p.changed))
	clear(p.changed)
	return out
}

// ServeHTTP streams changes until the page is closed, as server-sent events: lists of paths.
func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := h.open()
	defer h.close(p)
	control := http.NewResponseController(w)
	w.Header().Set("Content-Type", "text/event-stream")
	if _, err := fmt.Fprint(w, "retry: 1000\n\n"); err != nil || control.Flush() != nil {
		return
	}
	alive := time.NewTicker(aliveTime)
	defer alive.Stop()
	for {
		message := ": alive\n\n"
		select {
		case <-r.Context().Done():
			return
		case <-alive.C:
		case <-p.wake:
			if !wait(r, togetherTime) {
				return
			}
			data, err := json.Marshal(h.take(p))
			if err != nil {
				return
			}
			message = "event: change\ndata: " + string(data) + "\n\n"
		}
		if _, err := fmt.Fprint(w, message); err != nil || control.Flush() != nil {
			return
		}
	}
}

// wait tells whether the page is still open after some time.
func wait(r *http.Request, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-r.Context().Done():
		return false
	case <-timer.C:
		return true
	}
}
