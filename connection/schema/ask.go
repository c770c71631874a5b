package schema

import (
	"context"
	"fmt"
	"io"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/connection/remote"
)

// What is asked for.
const (
	acceptJSON      = "application/json"
	acceptDiscovery = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
		"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList," + acceptJSON
)

// answer is a document, and by what the server tells whether it has changed.
type answer struct {
	etag string
	body []byte
}

// ask reads a document; one that has not changed since the last answer costs no more than asking.
func (c *Catalog) ask(ctx context.Context, path, accept string, last answer) (answer, error) {
	client := c.provider.Discovery.RESTClient()
	if limiter := client.GetRateLimiter(); limiter != nil {
		if err := limiter.Wait(ctx); err != nil {
			return last, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, client.Get().AbsPath(path).URL().String(), http.NoBody)
	if err != nil {
		return last, fmt.Errorf("asking for %q: %w", path, err)
	}
	req.Header.Set("Accept", accept)
	if last.etag != "" {
		req.Header.Set("If-None-Match", last.etag)
	}
	resp, err := c.provider.HTTP.Do(req)
	if err != nil {
		return last, remote.Classify(err, "get", path)
	}
	defer func() { _ = resp.Body.Close() }()
	switch resp.StatusCode {
	case http.StatusNotModified:
		return last, nil
	case http.StatusOK:
	default:
		err := apierrors.NewGenericServerResponse(resp.StatusCode, "get", schema.GroupResource{}, path, "", 0, true)
		return last, remote.Classify(err, "get", path)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return last, remote.Classify(err, "get", path)
	}
	return answer{etag: resp.Header.Get("Etag"), body: body}, nil
}
