package term

import (
	"time"

	"k8s.io/apimachinery/pkg/util/duration"
)

// Age is how long ago something was, as kubectl writes it: 42s, 5m, 3d4h. It is empty for a time that is not known.
func Age(now time.Time, at *time.Time) string {
	if at == nil {
		return ""
	}
	return duration.HumanDuration(max(0, now.Sub(*at)))
}
