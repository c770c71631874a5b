package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
)

// Store gives a client of the cluster's etcd and its URL: for tests that put objects there as another version stored them.
func (c *Cluster) Store() (client *http.Client, url string, err error) {
	pair, err := tls.LoadX509KeyPair(c.folder.in("pki", "etcd.crt"), c.folder.in("pki", "etcd.key"))
	if err != nil {
		return nil, "", fmt.Errorf("reading the certificate of etcd: %w", err)
	}
	authority, err := os.ReadFile(c.folder.in("pki", "etcd-ca.crt"))
	if err != nil {
		return nil, "", fmt.Errorf("reading the authority of etcd: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authority) {
		return nil, "", fmt.Errorf("reading the authority of etcd: it holds no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{pair}, RootCAs: pool, MinVersion: tls.VersionTLS12}}
	return &http.Client{Transport: transport}, fmt.Sprintf("https://127.0.0.1:%d", c.ports.etcd), nil
}
