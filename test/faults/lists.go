package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
)

// lists keeps the answers of lists, to serve them again when they are old.
type lists struct {
	mu     sync.Mutex
	phase  listPhase
	kept   map[string]*page
	served int // old answers
}

type listPhase int

const (
	fresh  listPhase = iota // the API server answers
	keep                    // its answers are kept
	repeat                  // the first list with resourceVersion=0 gets the kept answer
)

// page is a kept answer.
type page struct {
	header http.Header
	body   []byte
}

// serve answers a list from what was kept, as a watch cache that lags behind does, and refuses lists that are streamed.
// It tells whether it did.
func (l *lists) serve(w http.ResponseWriter, r *http.Request, req request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	query := r.URL.Query()
	if l.phase == fresh {
		return false
	}
	if req.verb == "watch" && query.Get("sendInitialEvents") != "" {
		refuse(w, http.StatusUnprocessableEntity)
		return true
	}
	if l.phase != repeat || req.verb != "list" || query.Get("resourceVersion") != "0" {
		return false
	}
	p := l.kept[listKey(r)]
	if p == nil {
		return false
	}
	delete(l.kept, listKey(r))
	l.served++
	for k, v := range p.header {
		w.Header()[k] = v
	}
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(p.body)
	return true
}

// listKey tells lists apart by what they ask for and how.
func listKey(r *http.Request) string {
	query := r.URL.Query()
	out := url.Values{"accept": r.Header["Accept"]}
	for _, k := range []string{"labelSelector", "fieldSelector"} {
		if query.Has(k) {
			out.Set(k, query.Get(k))
		}
	}
	return r.URL.Path + "?" + out.Encode()
}

// note keeps the answer of a first list.
func (l *lists) note(resp *http.Response) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.phase != keep || isWatch(resp.Request) || resp.Request.URL.Query().Get("resourceVersion") != "0" {
		return nil
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("reading a list: %w", err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	l.kept[listKey(resp.Request)] = &page{resp.Header.Clone(), body}
	return nil
}

// set goes to another phase, keep begins anew, and gives how many old answers were served since.
func (l *lists) set(phase listPhase) (served int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if phase == keep {
		l.kept, l.served = map[string]*page{}, 0
	}
	l.phase = phase
	return l.served
}
