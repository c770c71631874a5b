package progress

import (
	"context"
	"time"
)

// Pause waits between two questions for what has no watch. The error is that of a context that ends meanwhile.
func Pause(ctx context.Context) error {
	timer := time.NewTimer(200 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
