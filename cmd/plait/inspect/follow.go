package inspect

import (
	"context"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	maxWatches = 50                     // objects of one tree that are watched
	gatherTime = 100 * time.Millisecond // for changes that come together
	againTime  = 2 * time.Second        // after a watch that ended, or was refused
)

// Follow gathers an object now and after every change of what its tree hangs on, and shows each tree, until ctx ends or the
// object is gone. It gives the error of the first gathering; later faults of the cluster are waited out.
func Follow(ctx context.Context, cluster *Cluster, ref Reference, show func(*Item)) error {
	first := true
	for ctx.Err() == nil {
		it, err := Gather(ctx, cluster, ref, Options{})
		switch {
		case err != nil && (first || apierrors.IsNotFound(err)):
			return err
		case err == nil:
			first = false
			show(it)
			awaitChange(ctx, cluster, it)
		}
		pause(ctx, gatherTime)
	}
	return nil
}

// awaitChange returns after the first change of an object of the tree.
func awaitChange(ctx context.Context, cluster *Cluster, it *Item) {
	ctx, cancel := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	defer watchers.Wait()
	defer cancel()
	changed := make(chan struct{}, 1)
	kinds, err := cluster.Kinds(ctx)
	if err != nil {
		pause(ctx, againTime)
		return
	}
	watched := 0
	it.Walk(func(part *Item) {
		kind, ok := kinds.Of(schema.FromAPIVersionAndKind(part.APIVersion, part.Kind))
		if !ok || !isWatched(part) || watched >= maxWatches {
			return
		}
		watched++
		watchers.Go(func() { watchItem(ctx, cluster, kind, part, changed) })
	})
	select {
	case <-ctx.Done():
	case <-changed:
	}
}

// isWatched picks what a tree changes with: ready objects tell their instance of any change that matters.
func isWatched(it *Item) bool {
	return it.uid != "" && (it.Class != ClassObject || it.Relation == Root || it.Relation == Mount || it.Relation == Leftover)
}

// watchItem tells of the first change since the item was read.
func watchItem(ctx context.Context, cluster *Cluster, kind Kind, it *Item, changed chan<- struct{}) {
	w, err := cluster.At(kind, it.Namespace).Watch(ctx, metav1.ListOptions{
		FieldSelector: "metadata.name=" + it.Name, ResourceVersion: it.version,
	})
	if err != nil {
		pause(ctx, againTime)
	} else {
		defer w.Stop()
		select {
		case <-ctx.Done():
			return
		case <-w.ResultChan():
		}
	}
	select {
	case changed <- struct{}{}:
	default:
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
