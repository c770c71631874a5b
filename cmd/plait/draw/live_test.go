package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestLive(t *testing.T) {
	g := small()
	id := g.Nodes()[0].ID
	got := Live(g, map[string]Mark{id: {State: "Failed <b>\x1b", Class: "bad", Link: `/o?a=1&b="2"`, Title: "waits <i>", Since: "2026-03-01T12:00:00Z"}})
	for _, want := range []string{
		`<a href="/o?a=1&amp;b=&#34;2&#34;" id="card-` + id + `">`, `class="card plain bad"`, "Failed &lt;b&gt;\ufffd",
		"waits &lt;i&gt;</title>", `<tspan data-since="2026-03-01T12:00:00Z"></tspan>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
	if strings.Contains(got, "<style") || strings.Contains(got, "style=") {
		t.Error("it has a style, which a strict policy of a page forbids")
	}
	decoder := xml.NewDecoder(strings.NewReader(got))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("no XML: %v", err)
		}
	}
}
