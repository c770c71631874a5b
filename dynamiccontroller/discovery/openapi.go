package discovery

import (
	"encoding/json"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	graphschema "github.com/plait-run/plait/graph/schema"
)

const (
	pathsTime    = 10 * time.Minute // how long hashes of documents are believed
	documentTime = 30 * time.Second // how long a whole document is kept for the next kind of it
)

// paths says where the documents are; the addresses contain their hashes. Immutable.
type paths struct {
	at      time.Time
	address map[schema.GroupVersion]string
}

// document is what is kept of an OpenAPI document: the kinds that were asked for, and for a moment all of it.
type document struct {
	address string
	kinds   map[string]*graphschema.Kind
	whole   *graphschema.OpenAPI // nil when it was dropped
	at      time.Time            // of reading the whole
}

// fromOpenAPI gives a kind that no definition defines. ok is false when the document does not know it.
func (d *Discovery) fromOpenAPI(gvk schema.GroupVersionKind) (*graphschema.Kind, bool, error) {
	address, err := d.addressOf(gvk.GroupVersion())
	if err != nil || address == "" {
		return nil, false, err
	}
	if k, ok := d.kept(gvk, address); ok {
		return k, true, nil
	}
	whole, err := d.readDocument(gvk.GroupVersion(), address)
	if err != nil {
		return nil, false, err
	}
	k, ok, err := whole.Resolve(gvk)
	if err != nil || !ok {
		return nil, false, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if doc := d.documents[gvk.GroupVersion()]; doc != nil && doc.address == address {
		doc.kinds[gvk.Kind] = k
	}
	return k, true, nil
}

func (d *Discovery) kept(gvk schema.GroupVersionKind, address string) (*graphschema.Kind, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.documents[gvk.GroupVersion()]
	if doc == nil || doc.address != address {
		return nil, false
	}
	k, ok := doc.kinds[gvk.Kind]
	return k, ok
}

// addressOf gives where the document of a group and version is, "" when it has none.
func (d *Discovery) addressOf(gv schema.GroupVersion) (string, error) {
	d.mu.Lock()
	p := d.paths
	d.mu.Unlock()
	if p != nil && time.Since(p.at) < pathsTime {
		if address, ok := p.address[gv]; ok || time.Since(p.at) < missTime {
			return address, nil
		}
	}
	read, err, _ := d.asking.Do("paths", func() (any, error) { return d.readPaths() })
	if err != nil {
		return "", err
	}
	p, _ = read.(*paths)
	d.mu.Lock()
	d.paths = p
	d.mu.Unlock()
	return p.address[gv], nil
}

func (d *Discovery) readPaths() (*paths, error) {
	raw, err := d.get("/openapi/v3")
	if err != nil {
		return nil, fmt.Errorf("asking the API server for its OpenAPI documents: %w", err)
	}
	var index struct {
		Paths map[string]struct {
			ServerRelativeURL string `json:"serverRelativeURL"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(raw, &index); err != nil {
		return nil, fmt.Errorf("reading the list of OpenAPI documents: %w", err)
	}
	p := &paths{at: time.Now(), address: map[schema.GroupVersion]string{}}
	for path, entry := range index.Paths {
		if gv, ok := groupVersionOf(path); ok {
			p.address[gv] = entry.ServerRelativeURL
		}
	}
	return p, nil
}

// readDocument gives the whole document, and keeps it for a moment.
func (d *Discovery) readDocument(gv schema.GroupVersion, address string) (*graphschema.OpenAPI, error) {
	d.mu.Lock()
	doc := d.documents[gv]
	d.mu.Unlock()
	if doc != nil && doc.address == address && doc.whole != nil {
		return doc.whole, nil
	}
	read, err, _ := d.asking.Do(address, func() (any, error) {
		raw, err := d.get(address)
		if err != nil {
			return nil, fmt.Errorf("asking the API server for the OpenAPI document of %q: %w", gv, err)
		}
		return graphschema.FromOpenAPI(gv, raw)
	})
	if err != nil {
		return nil, err
	}
	whole, _ := read.(*graphschema.OpenAPI)
	d.keepDocument(gv, address, whole)
	return whole, nil
}

func (d *Discovery) keepDocument(gv schema.GroupVersion, address string, whole *graphschema.OpenAPI) {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.documents[gv]
	if doc == nil || doc.address != address {
		doc = &document{address: address, kinds: map[string]*graphschema.Kind{}}
		d.documents[gv] = doc
	}
	doc.whole, doc.at = whole, time.Now()
}

// dropDocuments lets go of whole documents that nobody needed for a while; the kinds asked for stay.
func (d *Discovery) dropDocuments(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, doc := range d.documents {
		if now.Sub(doc.at) >= documentTime {
			doc.whole = nil
		}
	}
}

func (d *Discovery) get(address string) ([]byte, error) {
	ctx, cancel := d.limited()
	defer cancel()
	return d.discovery.RESTClient().Get().RequestURI(address).SetHeader("Accept", "application/json").Do(ctx).Raw()
}
