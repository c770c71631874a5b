package wire

import (
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

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
