package engine

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// forgetController drops the series that controller-runtime keeps of a controller that has ended. The library gives no
// access to them; but whoever registers a metric that exists is told which one that is.
func forgetController(registry metrics.RegistererGatherer, name string) error {
	families, err := registry.Gather()
	if err != nil {
		return err
	}
	labels := prometheus.Labels{"controller": name}
	for _, family := range families {
		var names []string
		isOfIt := false
		for _, metric := range family.GetMetric() {
			names = nil
			for _, pair := range metric.GetLabel() {
				names = append(names, pair.GetName())
				isOfIt = isOfIt || pair.GetName() == "controller" && pair.GetValue() == name
			}
		}
		if !isOfIt {
			continue
		}
		like := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: family.GetName(), Help: family.GetHelp()}, names)
		var taken prometheus.AlreadyRegisteredError
		if err := registry.Register(like); err == nil {
			registry.Unregister(like)
		} else if errors.As(err, &taken) {
			if vector, ok := taken.ExistingCollector.(interface{ DeletePartialMatch(prometheus.Labels) int }); ok {
				vector.DeletePartialMatch(labels)
			}
		}
	}
	return nil
}
