package mounts_test

import "testing"

// TestTable goes through the states of a mount object in one life of a Workspace.
func TestTable(t *testing.T) {
	t.Parallel()
	inBoth(t, "table", func(s *scene) {
		w := s.mount(s.ref("a"))
		s.says(w, "Unavailable False/MountObjectNotFound", "")
		for _, step := range []struct{ status, want, url, message string }{
			{`{}`, "Unavailable False/MountObjectNotReady", "", "no status"},
			{`{"phase":"Provisioning"}`, "Unavailable False/MountObjectNotReady", "", `"Provisioning"`},
			{`{"phase":"Ready"}`, "Unavailable False/MountURLMissing", "", "status.URL"},
			{readyAt("ftp://x"), "Unavailable False/MountURLInvalid", "", `"ftp"`},
			{readyAt(first), isUp, first, "is ready"},
			{readyAt(second), isUp, second, "is ready"},
			{`{"phase":"Broken","URL":"` + first + `"}`, "Unavailable False/MountObjectNotReady", first, `"Broken"`},
			{`{"URL":"http://no.example.com"}`, "Unavailable False/MountObjectNotReady", first, `"Broken"`},
			{readyAt("http://no.example.com"), "Unavailable False/MountURLInvalid", first, "http"},
			{`{"URL":null}`, "Unavailable False/MountURLMissing", first, "status.URL"},
			{`{"URL":"","url":"` + second + `"}`, isUp, second, "is ready"},
			{`{"phase":7}`, "Unavailable False/MountObjectNotReady", second, "a number"},
			{`{"phase":"Ready"}`, isUp, second, "is ready"},
			{`["not","a","map"]`, "Unavailable False/MountObjectNotReady", second, "a list"},
		} {
			s.cluster("a", step.status)
			s.says(w, step.want, step.url, step.message)
		}
	})
}

// TestRecreated deletes the mount object of a ready Workspace and makes it anew, with another URL.
func TestRecreated(t *testing.T) {
	t.Parallel()
	inBoth(t, "recreated", func(s *scene) {
		s.cluster("a", readyAt(first))
		w := s.mount(s.ref("a"))
		s.says(w, isUp, first)
		s.Remove("clusters.infra.example.com", "a")
		s.says(w, "Unavailable False/MountObjectNotFound", first)
		s.cluster("a", readyAt(second))
		s.says(w, isUp, second)
	})
}
