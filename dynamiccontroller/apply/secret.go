package apply

import (
	"encoding/base64"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/runtime/plan"
)

// An API server moves the stringData of a Secret into its data, and takes an applier for the owner of stringData alone: a
// key that the template drops would stay in data for ever, and an edit of data would be no drift. So the texts are applied
// as data.
const (
	stringData = "stringData"
	secretData = "data"
)

var secretKind = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}

// asData moves the texts of a Secret into data, where they win, as the API server has it. What is no text is left to the
// API server to refuse. The maps in body are not changed, body is.
func asData(body map[string]any) {
	texts, ok := body[stringData].(map[string]any)
	if !ok {
		return
	}
	data := copyMap(body[secretData])
	for key, value := range texts {
		text, ok := value.(string)
		if !ok {
			return
		}
		data[key] = base64.StdEncoding.EncodeToString([]byte(text))
	}
	delete(body, stringData)
	body[secretData] = data
}

// ignored gives the paths of an object that are left to others, where Marked has them.
func ignored(obj plan.Object) []string {
	paths := obj.Lifecycle.IgnoreFields
	if obj.GVK != secretKind {
		return paths
	}
	out := make([]string, len(paths))
	for i, path := range paths {
		out[i] = path
		if rest, ok := strings.CutPrefix(path, stringData); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			out[i] = secretData + rest
		}
	}
	return out
}
