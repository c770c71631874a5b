package wire

import (
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Bounded gives a client over the same connections whose calls end after d. It is not for watches.
func Bounded(shared *http.Client, d time.Duration) *http.Client {
	out := *shared
	out.Timeout = d
	return &out
}

// NewClients gives a client for objects, and one for requests by path, over one HTTP client.
func NewClients(config *rest.Config, httpClient *http.Client) (dynamic.Interface, rest.Interface, error) {
	config = dynamic.ConfigFor(config)
	config.GroupVersion = &schema.GroupVersion{}
	config.NegotiatedSerializer = negotiator{config.NegotiatedSerializer}
	client, err := rest.UnversionedRESTClientForConfigAndClient(config, httpClient)
	if err != nil {
		return nil, nil, err
	}
	return dynamic.New(client), client, nil
}
