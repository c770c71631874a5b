package explain

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/cmd/plait/inspect"
)

// placeholders are the words that cures leave open, by name.
type placeholders []string

// namesOf gives the words for an item, and for the instance, binding or Workspace that it belongs to.
func namesOf(owner, it *inspect.Item) placeholders {
	namespace, account, _ := strings.Cut(owner.Account, "/")
	return placeholders{
		"{object}", argument(it), "{owner}", argument(owner), "{owner-title}", owner.Title(),
		"{namespace}", cmp.Or(it.Namespace, owner.Namespace, "default"),
		"{owner-namespace}", cmp.Or(owner.Namespace, "default"),
		"{account-namespace}", cmp.Or(namespace, "NAMESPACE"), "{account}", cmp.Or(account, "ACCOUNT"),
		"{group}", cmp.Or(owner.Group, "GROUP"),
	}
}

func (p placeholders) fill(text string) string { return strings.NewReplacer(p...).Replace(text) }

// argument is how kubectl takes an object: deployment.apps/shop -n default.
func argument(it *inspect.Item) string {
	gvk := schema.FromAPIVersionAndKind(it.APIVersion, it.Kind)
	out := strings.ToLower(gvk.Kind)
	if gvk.Group != "" {
		out += "." + gvk.Group
	}
	out += "/" + it.Name
	if it.Namespace != "" {
		out += " -n " + it.Namespace
	}
	return out
}
