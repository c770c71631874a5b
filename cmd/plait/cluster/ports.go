package cluster

// ports are the loopback ports of a cluster, its own from Start to Stop: an API
// server that is started again finds the one that it had.
type ports struct {
	etcd, apiServer, controllerManager, scheduler int

	release []func()
}

// reservePorts takes free ports, for the API server the preferred one if that
// is free.
func reservePorts(preferred int) (*ports, error) {
	p := &ports{}
	if port, release, err := reserve(preferred); err == nil {
		p.apiServer = port
		p.release = append(p.release, release)
	}
	for _, port := range []*int{&p.etcd, &p.apiServer, &p.controllerManager, &p.scheduler} {
		if *port != 0 {
			continue
		}
		reserved, release, err := reserve(0)
		if err != nil {
			p.close()
			return nil, err
		}
		*port = reserved
		p.release = append(p.release, release)
	}
	return p, nil
}

// close gives the ports back.
func (p *ports) close() {
	for _, release := range p.release {
		release()
	}
	p.release = nil
}
