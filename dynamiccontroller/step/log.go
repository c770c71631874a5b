package step

import (
	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// LogConstructor gives what controller-runtime logs passes of a controller with: its name and the object's, once. So
// errors of passes need not name the object.
func LogConstructor(log logr.Logger, controller string) func(*reconcile.Request) logr.Logger {
	log = log.WithValues("controller", controller)
	return func(request *reconcile.Request) logr.Logger {
		switch {
		case request == nil:
			return log
		case request.Namespace == "":
			return log.WithValues("name", request.Name)
		default:
			return log.WithValues("namespace", request.Namespace, "name", request.Name)
		}
	}
}
