package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// pki is the keys of a cluster. etcd has an authority of its own, so that no
// user of the cluster gets at its data past the API server.
type pki struct {
	users *authority
	etcd  *authority
}

// loadPKI reads the authorities and the key for service account tokens from the
// folder, making those that it lacks, and issues the components' certificates.
func loadPKI(f *folder) (*pki, error) {
	users, err := loadAuthority(f.in("pki", "ca"))
	if err != nil {
		return nil, fmt.Errorf("loading the cluster's authority: %w", err)
	}
	etcd, err := loadAuthority(f.in("pki", "etcd-ca"))
	if err != nil {
		return nil, fmt.Errorf("loading etcd's authority: %w", err)
	}
	p := &pki{users: users, etcd: etcd}
	if err := p.issueServers(f); err != nil {
		return nil, err
	}
	return p, ensureKey(f.in("pki", "service-account.key"))
}

// issueServers writes what etcd and all others prove themselves with.
func (p *pki) issueServers(f *folder) error {
	server, err := p.users.server("kubernetes", "kubernetes.default", "kubernetes.default.svc")
	if err != nil {
		return err
	}
	if err := server.write(f.in("pki", "server")); err != nil {
		return fmt.Errorf("writing the server certificate: %w", err)
	}
	member, err := p.etcd.server()
	if err != nil {
		return err
	}
	if err := member.write(f.in("pki", "etcd")); err != nil {
		return fmt.Errorf("writing etcd's certificate: %w", err)
	}
	return nil
}

// ensureKey makes a private key at the path unless one is there.
func ensureKey(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("making %q: %w", path, err)
	}
	encoded, err := encodeKey(key)
	if err != nil {
		return fmt.Errorf("making %q: %w", path, err)
	}
	return os.WriteFile(path, encoded, 0o600)
}
