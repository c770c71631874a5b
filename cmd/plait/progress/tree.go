// Package progress shows people what an instance is doing: a small tree of its nodes.
//
// plait dev prints it. The tree is made of the instance's status alone, so that it shows what any user of the
// cluster can see. On a terminal it is drawn anew in place; elsewhere each change is a line.
package progress

import (
	"fmt"
	"strings"
)

// Line is one line of a tree: what it is about, and how it stands.
type Line struct {
	Subject string // stable: the key by which changes are found
	Text    string
}

// Tree draws an object of a served kind: a line for the instance and one for each of its resources.
func Tree(object map[string]any) []Line {
	status := child(object, "status")
	meta := child(object, "metadata")
	name := text(meta, "name")
	if namespace := text(meta, "namespace"); namespace != "" {
		name = namespace + "/" + name
	}
	subject := text(object, "kind") + " " + name
	lines := []Line{{subject, strings.TrimRight(fmt.Sprintf("%s  %s  %s", subject, stateOf(status), messageOf(status)), " ")}}
	resources := withState(status)
	for i, item := range resources {
		branch := "├─ "
		if i == len(resources)-1 {
			branch = "└─ "
		}
		lines = append(lines, resourceLine(subject, branch, item))
	}
	return lines
}

// withState gives the resources of a status that stand somewhere; those of a ResourceGroup only say what there is.
func withState(status map[string]any) []any {
	all, _ := status["resources"].([]any)
	var out []any
	for _, item := range all {
		if r, _ := item.(map[string]any); text(r, "state") != "" {
			out = append(out, item)
		}
	}
	return out
}

func resourceLine(subject, branch string, item any) Line {
	r, _ := item.(map[string]any)
	id, kind, name := text(r, "id"), text(r, "kind"), text(r, "name")
	what := strings.TrimSpace(kind + " " + name)
	line := fmt.Sprintf("%s%-12s %-9s %s", branch, id, text(r, "state"), what)
	if message := text(r, "message"); message != "" {
		line += "  – " + message
	}
	return Line{Subject: subject + "/" + id + "/" + what, Text: strings.TrimRight(line, " ")}
}

func stateOf(status map[string]any) string {
	if state := text(status, "state"); state != "" {
		return state
	}
	return "not looked at yet"
}

func messageOf(status map[string]any) string {
	conditions, _ := status["conditions"].([]any)
	for _, item := range conditions {
		if c, _ := item.(map[string]any); text(c, "type") == "Ready" && text(c, "status") != "True" {
			return text(c, "message")
		}
	}
	return ""
}

func child(m map[string]any, key string) map[string]any {
	out, _ := m[key].(map[string]any)
	return out
}

func text(m map[string]any, key string) string {
	out, _ := m[key].(string)
	return out
}
