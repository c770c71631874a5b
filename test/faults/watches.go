package main

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// watches are the streams that are open.
type watches struct {
	mu    sync.Mutex
	open  map[*watch]bool
	delay time.Duration // of everything that a watch brings
}

// watch is the body of one.
type watch struct {
	io.ReadCloser
	all *watches
}

// tap puts a watch under control; it is called for every answer of the API server.
func (s *watches) tap(resp *http.Response) {
	if !isWatch(resp.Request) || resp.StatusCode != http.StatusOK {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &watch{ReadCloser: resp.Body, all: s}
	s.open[w] = true
	resp.Body = w
}

func isWatch(r *http.Request) bool { return r.URL.Query().Get("watch") != "" }

// Read gives what has come, late if it is to be.
func (w *watch) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.all.mu.Lock()
	delay := w.all.delay
	w.all.mu.Unlock()
	if delay > 0 {
		<-time.After(delay)
	}
	if w.isCut() {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

func (w *watch) isCut() bool {
	w.all.mu.Lock()
	defer w.all.mu.Unlock()
	return !w.all.open[w]
}

// Close ends the stream.
func (w *watch) Close() error {
	w.all.mu.Lock()
	delete(w.all.open, w)
	w.all.mu.Unlock()
	return w.ReadCloser.Close()
}

// setDelay makes everything that watches bring come late: what has come within d is delivered together.
func (s *watches) setDelay(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delay = d
}

// cut ends all watches; what they have brought and not delivered is lost. It gives how many there were.
func (s *watches) cut() int {
	s.mu.Lock()
	var bodies []io.Closer
	for w := range s.open {
		bodies = append(bodies, w.ReadCloser)
		delete(s.open, w)
	}
	s.mu.Unlock()
	for _, body := range bodies {
		_ = body.Close()
	}
	return len(bodies)
}
