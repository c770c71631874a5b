package schema

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	authorization "k8s.io/client-go/kubernetes/typed/authorization/v1"

	"github.com/plait-run/plait/api/v1alpha1"
	"github.com/plait-run/plait/connection/remote"
	graphschema "github.com/plait-run/plait/graph/schema"
)

// neededVerbs are what a resource must offer to be synced.
var neededVerbs = []string{"get", "list", "watch", "create", "patch", "delete"}

// documents is what is remembered of discovery and OpenAPI.
type documents struct {
	groups, index answer
	resources     map[string]synthesised // by `resource.group`
	whole         map[string][]byte      // by hash, for the time of one round
	round         int
}

// deniedRounds is for how many rounds it is believed that these credentials may not use a resource.
const deniedRounds = 10

// synthesised is what was made of one resource of certain documents.
type synthesised struct {
	key     string // versions, and hashes of their documents
	allowed bool   // these credentials may list and create it
	round   int    // when that was asked
	export  Export
}

// FromOpenAPI gives the exports that discovery and OpenAPI documents tell of, sorted: what is not built in, and what these
// credentials may list and create. Documents are read, and rights are asked for, only where something has changed. It is
// all or nothing; errors are those of remote.Classify.
func (c *Catalog) FromOpenAPI(ctx context.Context, filter Filter) ([]Export, error) {
	d := &c.documents
	var err error
	if d.groups, err = c.ask(ctx, "/apis", acceptDiscovery, d.groups); err != nil {
		return nil, err
	}
	if d.index, err = c.ask(ctx, "/openapi/v3", acceptJSON, d.index); err != nil {
		return nil, err
	}
	candidates, err := candidatesOf(d.groups.body, filter)
	if err != nil {
		return nil, err
	}
	hashes, err := hashesOf(d.index.body)
	if err != nil {
		return nil, err
	}
	d.round++
	d.whole = map[string][]byte{}
	defer func() { d.whole = nil }()
	next, exports := map[string]synthesised{}, []Export{}
	for _, candidate := range candidates {
		made, err := c.synthesise(ctx, candidate, hashes)
		if err != nil {
			return nil, err
		}
		next[candidate.name()] = made
		if made.allowed {
			exports = append(exports, made.export)
		}
	}
	d.resources = next
	return bounded(exports)
}

// candidate is a resource that discovery offers.
type candidate struct {
	group, plural string
	versions      []offer // the preferred one first
}

// offer is a resource in one version.
type offer struct {
	version string
	apidiscoveryv2.APIResourceDiscovery
}

func (c candidate) name() string { return c.plural + "." + c.group }

// export is what discovery alone tells.
func (c candidate) export() Export {
	preferred := c.versions[0]
	e := Export{Group: c.group, Resource: c.plural, Kind: preferred.ResponseKind.Kind, Namespaced: preferred.Scope == apidiscoveryv2.ScopeNamespace}
	for _, v := range c.versions {
		e.Versions = append(e.Versions, v.version)
	}
	return e
}

// candidatesOf reads aggregated discovery. A group that it cannot tell about makes the whole reading fail, if the filter
// takes any of it.
func candidatesOf(discovery []byte, filter Filter) ([]candidate, error) {
	var list apidiscoveryv2.APIGroupDiscoveryList
	if err := json.Unmarshal(discovery, &list); err != nil {
		return nil, fmt.Errorf("reading the provider's discovery: %w", err)
	}
	if list.Kind != "APIGroupDiscoveryList" {
		return nil, fmt.Errorf("the provider has no aggregated discovery: it answers with %q; Kubernetes 1.27 has it", list.Kind)
	}
	var out []candidate
	for _, group := range list.Items {
		if !IsExportable(group.Name) {
			continue
		}
		found, err := candidatesIn(group, filter)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.SortFunc(out, func(a, b candidate) int { return cmp.Compare(a.name(), b.name()) })
	return out, nil
}

// candidatesIn gives those of one group, in no order.
func candidatesIn(group apidiscoveryv2.APIGroupDiscovery, filter Filter) ([]candidate, error) {
	byPlural := map[string]candidate{}
	for _, version := range group.Versions {
		if version.Freshness == apidiscoveryv2.DiscoveryFreshnessStale && filter.Takes(group.Name, "*") {
			return nil, fmt.Errorf("the provider cannot tell now what %s/%s has", group.Name, version.Version)
		}
		for _, r := range version.Resources {
			if isOffered(r) && filter.Takes(group.Name, r.Resource) {
				versions := append(byPlural[r.Resource].versions, offer{version.Version, r})
				byPlural[r.Resource] = candidate{group: group.Name, plural: r.Resource, versions: versions}
			}
		}
	}
	return slices.Collect(maps.Values(byPlural)), nil
}

func isOffered(r apidiscoveryv2.APIResourceDiscovery) bool {
	for _, verb := range neededVerbs {
		if !slices.Contains(r.Verbs, verb) {
			return false
		}
	}
	return r.ResponseKind != nil
}

// hashesOf reads the index of OpenAPI documents: their addresses hold their hashes.
func hashesOf(index []byte) (map[schema.GroupVersion]string, error) {
	var list struct {
		Paths map[string]struct {
			ServerRelativeURL string `json:"serverRelativeURL"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(index, &list); err != nil {
		return nil, fmt.Errorf("reading the list of the provider's OpenAPI documents: %w", err)
	}
	out := map[schema.GroupVersion]string{}
	for path, entry := range list.Paths {
		if parts := strings.Split(path, "/"); len(parts) == 3 && parts[0] == "apis" {
			out[schema.GroupVersion{Group: parts[1], Version: parts[2]}] = entry.ServerRelativeURL
		}
	}
	return out, nil
}

// synthesise makes the export of one resource, unless nothing of it has changed.
func (c *Catalog) synthesise(ctx context.Context, from candidate, hashes map[schema.GroupVersion]string) (synthesised, error) {
	key := ""
	for _, v := range from.versions {
		gv := schema.GroupVersion{Group: from.group, Version: v.version}
		if hashes[gv] == "" {
			return synthesised{}, fmt.Errorf("the provider lists no OpenAPI document of %s", gv)
		}
		key += v.version + " " + hashes[gv] + "\n"
	}
	known, ok := c.documents.resources[from.name()]
	if ok && known.key == key && (known.allowed || c.documents.round-known.round < deniedRounds) {
		return known, nil
	}
	out := synthesised{key: key, round: c.documents.round}
	var err error
	if out.allowed, err = c.mayUse(ctx, from); err != nil || !out.allowed {
		return out, err
	}
	var kinds []*graphschema.Schema
	for _, v := range from.versions {
		gv := schema.GroupVersion{Group: from.group, Version: v.version}
		raw, err := c.document(ctx, gv, hashes[gv])
		if err != nil {
			return out, err
		}
		kind, err := expand(gv, raw, v.ResponseKind.Kind)
		if err != nil { // this API's fault
			out.export = from.export()
			out.export.Fault = Fault{v1alpha1.ExportedAPIInvalid, ReasonInvalidSchema, shortened(err.Error())}
			return out, nil
		}
		kinds = append(kinds, kind)
	}
	out.export = synthesise(ctx, from, kinds)
	return out, nil
}

// document reads the OpenAPI document of a group and version, once a round.
func (c *Catalog) document(ctx context.Context, gv schema.GroupVersion, hash string) ([]byte, error) {
	if have := c.documents.whole[hash]; have != nil {
		return have, nil
	}
	raw, err := c.ask(ctx, "/openapi/v3/apis/"+gv.Group+"/"+gv.Version, acceptJSON, answer{})
	if err != nil {
		return nil, err
	}
	c.documents.whole[hash] = raw.body
	return raw.body, nil
}

func expand(gv schema.GroupVersion, document []byte, kind string) (*graphschema.Schema, error) {
	read, err := graphschema.FromOpenAPI(gv, document)
	if err != nil {
		return nil, err
	}
	return read.Expand(kind)
}

// mayUse asks whether these credentials may list and create a resource.
func (c *Catalog) mayUse(ctx context.Context, from candidate) (bool, error) {
	client, err := authorization.NewForConfigAndClient(c.provider.Config, c.provider.HTTP)
	if err != nil {
		return false, fmt.Errorf("making the client for access reviews: %w", err)
	}
	reviews := client.SelfSubjectAccessReviews()
	for _, verb := range []string{"list", "create"} {
		review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Group: from.group, Resource: from.plural},
		}}
		said, err := reviews.Create(ctx, review, metav1.CreateOptions{})
		if err != nil {
			return false, remote.Classify(err, "create", "selfsubjectaccessreviews.authorization.k8s.io")
		}
		if !said.Status.Allowed {
			return false, nil
		}
	}
	return true, nil
}
