package schema

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// servedAs is what the paths of an OpenAPI document tell of one kind.
type servedAs struct {
	gvr           schema.GroupVersionResource
	namespaced    bool
	scale, status bool
	component     string // the name of its schema
}

// pathItem is one path of an OpenAPI document, cut to what tells the kind.
type pathItem struct {
	Get   *operation `json:"get"`
	Put   *operation `json:"put"`
	Patch *operation `json:"patch"`
}

type operation struct {
	Kind *schema.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
}

func (p pathItem) kind() string {
	for _, o := range []*operation{p.Get, p.Patch, p.Put} {
		if o != nil && o.Kind != nil {
			return o.Kind.Kind
		}
	}
	return ""
}

// resourcesOf gives the resources that have a path for one object, by kind.
func resourcesOf(gv schema.GroupVersion, paths map[string]pathItem) map[string]servedAs {
	out := map[string]servedAs{}
	for path, item := range paths {
		plural, subresource, namespaced, ok := splitPath(gv, path)
		kind := item.kind()
		if !ok || subresource != "" || kind == "" {
			continue
		}
		_, scale := paths[path+"/scale"]
		_, status := paths[path+"/status"]
		out[kind] = servedAs{
			gvr:        gv.WithResource(plural),
			namespaced: namespaced,
			scale:      scale,
			status:     status,
		}
	}
	return out
}

// splitPath reads the path of one object, such as /apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale.
func splitPath(gv schema.GroupVersion, path string) (plural, subresource string, namespaced, ok bool) {
	prefix := "/apis/" + gv.Group + "/" + gv.Version + "/"
	if gv.Group == "" {
		prefix = "/api/" + gv.Version + "/"
	}
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		return "", "", false, false
	}
	parts := strings.Split(rest, "/")
	if len(parts) >= 4 && parts[0] == "namespaces" && parts[1] == "{namespace}" {
		parts, namespaced = parts[2:], true
	}
	if len(parts) < 2 || len(parts) > 3 || parts[1] != "{name}" {
		return "", "", false, false
	}
	if len(parts) == 3 {
		subresource = parts[2]
	}
	return parts[0], subresource, namespaced, true
}
