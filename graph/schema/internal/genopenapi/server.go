package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/plait-run/plait/cmd/plait/cluster"
)

// fromServer starts an API server that serves every group and version, and reads its documents.
func fromServer(ctx context.Context) (documents map[string][]byte, err error) {
	c, err := cluster.Start(ctx, cluster.Config{APIServerArgs: []string{"--runtime-config=api/all=true"}})
	if err != nil {
		return nil, fmt.Errorf("starting an API server: %w", err)
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	config := c.RESTConfig()
	certificate, err := tls.X509KeyPair(config.CertData, config.KeyData)
	if err != nil {
		return nil, fmt.Errorf("reading the client certificate: %w", err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(config.CAData) {
		return nil, errors.New("the API server's authority has no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{
		MinVersion: tls.VersionTLS12, RootCAs: roots, Certificates: []tls.Certificate{certificate},
	}}
	defer transport.CloseIdleConnections()
	return readAll(ctx, &http.Client{Transport: transport}, config.Host)
}

// readAll reads the documents that /openapi/v3 lists for groups and versions.
func readAll(ctx context.Context, client *http.Client, host string) (map[string][]byte, error) {
	raw, err := get(ctx, client, host+"/openapi/v3")
	if err != nil {
		return nil, err
	}
	var index struct {
		Paths map[string]struct {
			URL string `json:"serverRelativeURL"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(raw, &index); err != nil {
		return nil, fmt.Errorf("reading the list of documents: %w", err)
	}
	out := map[string][]byte{}
	for name, entry := range index.Paths {
		if !isGroupVersion(name) {
			continue
		}
		if out[name], err = get(ctx, client, host+entry.URL); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isGroupVersion tells api/v1 and apis/apps/v1 from api, apis/apps, version and the like.
func isGroupVersion(name string) bool {
	parts := strings.Split(name, "/")
	return len(parts) == 2 && parts[0] == "api" || len(parts) == 3 && parts[0] == "apis"
}

func get(ctx context.Context, client *http.Client, url string) (body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", url, err)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("reading %q: %w", url, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("reading %q: %s", url, response.Status)
	}
	if body, err = io.ReadAll(response.Body); err != nil {
		return nil, fmt.Errorf("reading %q: %w", url, err)
	}
	return body, nil
}
