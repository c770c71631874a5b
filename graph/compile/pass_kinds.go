package compile

import (
	"fmt"
	"slices"
	"strings"

	runtimeschema "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/diag"
	"github.com/plait-run/plait/graph/schema"
	"github.com/plait-run/plait/graph/source"
)

// resolveKinds learns the kind of every template and external.
func resolveKinds(s *state) {
	known := map[runtimeschema.GroupVersionKind]*resolved{}
	for _, n := range s.nodes {
		body := n.src.Template
		switch {
		case n.src.Def != nil:
			n.out.Kind = graph.Def
			continue
		case n.src.ExternalRef != nil:
			body = n.src.ExternalRef
			n.out.Kind = s.externalKind(n)
		}
		if body == nil || body.Kind != source.Map {
			n.usable = n.usable && body != nil
			s.needMap(body)
			continue
		}
		gvk, ok := s.literalKind(n, body)
		if !ok {
			continue
		}
		s.setKind(n, gvk, known)
		if s.unknown != nil {
			return
		}
	}
}

// resolved is one answer of the resolver, so that each kind is asked for once.
type resolved struct {
	set func(*node)
}

func (s *state) setKind(n *node, gvk runtimeschema.GroupVersionKind, known map[runtimeschema.GroupVersionKind]*resolved) {
	answer, asked := known[gvk]
	if !asked {
		kind, ok, err := s.resolver.Resolve(gvk)
		if err != nil {
			s.unknown = fmt.Errorf("resolving the kind of node %q: %w", n.out.ID, err)
			return
		}
		answer = &resolved{set: func(n *node) {
			if !ok {
				return
			}
			if gvk == s.api.gvk {
				kind = s.ownKind(kind)
			}
			n.kind, n.out.Installed = kind, true
			n.out.Resource, n.out.Namespaced, n.out.Type = kind.Resource, kind.Namespaced, kind.Type
		}}
		known[gvk] = answer
	}
	n.out.GVK = gvk
	answer.set(n)
	if !n.out.Installed {
		s.warnOfAbsent(n)
	}
}

// warnOfAbsent tells that a kind is not installed: it may come later, or be a slip. In the groups without a domain,
// which are Kubernetes' own, nothing comes later.
func (s *state) warnOfAbsent(n *node) {
	body := n.src.Template
	if body == nil {
		body = n.src.ExternalRef
	}
	suggestion := diag.DidYouMean(n.out.GVK.Kind, schema.KindNames(s.resolver, n.out.GVK.GroupVersion()))
	if suggestion == "" {
		suggestion = "Nothing is wrong if it is installed later; offline, name its CustomResourceDefinition with --crds."
	}
	v := body.Get("kind")
	if !strings.Contains(n.out.GVK.Group, ".") {
		s.report(diag.GraphKind, v, fmt.Sprintf("Kubernetes has no kind %s in %s", n.out.GVK.Kind, n.out.GVK.GroupVersion()),
			diag.DidYouMean(n.out.GVK.Kind, schema.KindNames(s.resolver, n.out.GVK.GroupVersion())))
		return
	}
	s.warn(diag.GraphKind, place{v.Path, v.Position},
		fmt.Sprintf("the kind %s of %s is not installed: this resource waits for it, and its fields are not checked", n.out.GVK.Kind, n.out.GVK.GroupVersion()), suggestion)
}

func (s *state) needMap(body *source.Value) {
	if body != nil {
		s.report(diag.WrongFieldType, body, "an object is expected here", "")
	}
}

func (s *state) externalKind(n *node) graph.NodeKind {
	meta := n.src.ExternalRef.Get("metadata")
	name, selector := meta.Get("name"), meta.Get("selector")
	if (name == nil) == (selector == nil) {
		at := place{n.src.ExternalRef.Path + ".metadata", n.src.ExternalRef.Position}
		if meta != nil {
			at.at = meta.Position
		}
		s.reportAt(diag.NodeExternal, at, "an externalRef takes exactly one of name and selector", "metadata.name reads one object, metadata.selector a list of them.")
	}
	if selector != nil {
		return graph.ExternalList
	}
	return graph.External
}

// literalKind reads apiVersion and kind, which must be plain text.
func (s *state) literalKind(n *node, body *source.Value) (runtimeschema.GroupVersionKind, bool) {
	var texts [2]string
	ok := true
	for i, field := range []string{"apiVersion", "kind"} {
		v := body.Get(field)
		switch {
		case v == nil:
			s.reportAt(diag.TemplateIdentity, place{body.Path + "." + field, body.Position}, field+" is missing", "")
			ok = false
		case v.Kind != source.String || v.Text() == "":
			s.report(diag.TemplateIdentity, v, field+" must be text", "")
			ok = false
		case hasExpression(v.Text()):
			s.report(diag.TemplateIdentity, v, field+" must be literal, without an expression: the graph is typed by it", "Use one resource for each kind, with includeWhen.")
			ok = false
		default:
			texts[i] = v.Text()
		}
	}
	gv, err := runtimeschema.ParseGroupVersion(texts[0])
	if ok && err != nil {
		s.report(diag.TemplateIdentity, body.Get("apiVersion"), fmt.Sprintf("%q is no apiVersion", texts[0]), "Write group/version, or v1 for the core group.")
		ok = false
	}
	if !ok {
		n.out.Type = s.dynamic()
	}
	return gv.WithKind(texts[1]), ok
}

// absentKinds names the kinds that are not installed, sorted.
func (s *state) absentKinds() []runtimeschema.GroupVersionKind {
	var out []runtimeschema.GroupVersionKind
	for _, n := range s.nodes {
		if n.out.Kind != graph.Def && !n.out.Installed && !slices.Contains(out, n.out.GVK) {
			out = append(out, n.out.GVK)
		}
	}
	slices.SortFunc(out, func(a, b runtimeschema.GroupVersionKind) int { return compareText(a.String(), b.String()) })
	return out
}
