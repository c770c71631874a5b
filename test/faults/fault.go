package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ending is what the engine hears of a broken request.
type ending int

const (
	cut    ending = 0 // nothing: its connection ends
	held   ending = 1 // nothing, until it is killed
	late   ending = 2 // what the API server says, once the trap is released
	hung   ending = 3 // nothing, until it gives up
	answer        = http.StatusContinue
)

// fault is one way to break a write. Endings from answer on are the HTTP status that the engine is told.
type fault struct {
	after bool // the write takes effect, and what the API server says of it is lost
	ending
}

// crashes end with the death of the engine.
var crashes = []fault{{false, held}, {true, held}}

// hangs last until the engine's own deadline.
var hangs = []fault{{false, hung}, {true, hung}}

// losses are told at once.
var losses = []fault{
	{false, http.StatusConflict},
	{false, http.StatusTooManyRequests},
	{false, http.StatusInternalServerError},
	{false, http.StatusServiceUnavailable},
	{false, http.StatusGatewayTimeout},
	{false, cut},
	{true, http.StatusInternalServerError},
	{true, http.StatusGatewayTimeout},
	{true, cut},
}

// String is `crash after it`, `500 instead of it`.
func (f fault) String() string {
	what := map[ending]string{cut: "cut", held: "crash", late: "late", hung: "silence"}[f.ending]
	if f.ending >= answer {
		what = fmt.Sprint(int(f.ending))
	}
	switch {
	case f.after:
		return what + " after it"
	case f.ending == held:
		return what + " before it"
	default:
		return what + " instead of it"
	}
}

// end lets the engine hear the fault. It never returns for a cut one.
func (f fault) end(w http.ResponseWriter, r *http.Request) {
	switch f.ending {
	case cut:
		panic(http.ErrAbortHandler)
	case held, hung:
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	default:
		refuse(w, int(f.ending))
	}
}

var reasons = map[int]metav1.StatusReason{
	http.StatusConflict:            metav1.StatusReasonConflict,
	http.StatusTooManyRequests:     metav1.StatusReasonTooManyRequests,
	http.StatusInternalServerError: metav1.StatusReasonInternalError,
	http.StatusServiceUnavailable:  metav1.StatusReasonServiceUnavailable,
	http.StatusGatewayTimeout:      metav1.StatusReasonTimeout,
	http.StatusUnprocessableEntity: metav1.StatusReasonInvalid,
}

// refuse answers as an API server does.
func refuse(w http.ResponseWriter, code int) {
	status := metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(code), Reason: reasons[code], Message: "a fault of the test",
	}
	body, err := json.Marshal(status)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	if code == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(code)
	_, _ = w.Write(body)
}
