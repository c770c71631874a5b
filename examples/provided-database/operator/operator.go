// Package operator is what the provider of the example runs: it says of each Database that it is being made, and then where
// it is. It makes none.
//
// plait dev --provider and the tests of the examples call Run.
package operator

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

// Databases are what it looks after.
var Databases = schema.GroupVersionResource{Group: "db.example.com", Version: "v1", Resource: "databases"}

// ports are those of the engines that are offered.
var ports = map[string]int64{"postgres": 5432, "mysql": 3306}

// operator looks after the databases of one cluster.
type operator struct {
	client dynamic.Interface
	store  cache.Store
	queue  workqueue.TypedRateLimitingInterface[string]
	delay  time.Duration
}

// Run looks after the databases of a cluster until ctx ends. Each takes that long to be made.
func Run(ctx context.Context, config *rest.Config, delay time.Duration) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return fmt.Errorf("making the operator's client: %w", err)
	}
	informer := dynamicinformer.NewDynamicSharedInformerFactory(client, 0).ForResource(Databases).Informer()
	o := &operator{
		client: client, store: informer.GetStore(), delay: delay,
		queue: workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
	}
	wake := func(object any) {
		if key, err := cache.MetaNamespaceKeyFunc(object); err == nil {
			o.queue.Add(key)
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: wake, UpdateFunc: func(_, object any) { wake(object) },
	}); err != nil {
		return fmt.Errorf("watching databases: %w", err)
	}
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		informer.RunWithContext(ctx)
	}()
	defer func() { <-watching }()
	stop := context.AfterFunc(ctx, o.queue.ShutDown)
	defer stop()
	for o.next(ctx) {
	}
	return nil
}

// next looks after one database; false means that it is to stop.
func (o *operator) next(ctx context.Context) bool {
	key, isDown := o.queue.Get()
	if isDown {
		return false
	}
	defer o.queue.Done(key)
	object, exists, err := o.store.GetByKey(key)
	database, ok := object.(*unstructured.Unstructured)
	if err != nil || !exists || !ok {
		return true
	}
	if err := o.look(ctx, key, database); err != nil {
		o.queue.AddRateLimited(key)
		return true
	}
	o.queue.Forget(key)
	return true
}

// look writes what is to be said of a database, if that is not said yet.
func (o *operator) look(ctx context.Context, key string, database *unstructured.Unstructured) error {
	now := statusOf(database)
	before, _ := database.Object["status"].(map[string]any)
	if equality.Semantic.DeepEqual(before, now) {
		return nil
	}
	isMade := before["phase"] == "Provisioning" && before["observedGeneration"] == now["observedGeneration"]
	if now["phase"] == "Ready" && !isMade {
		now = said(database, "Provisioning", "the database is being made")
		for _, field := range []string{"host", "port"} { // a change moves it nowhere
			if value, ok := before[field]; ok {
				now[field] = value
			}
		}
		defer o.queue.AddAfter(key, o.delay)
	} else if now["phase"] == "Ready" && time.Since(startedAt(database)) < o.delay {
		return nil // it is woken when it is time
	}
	next := database.DeepCopy()
	next.Object["status"] = now
	_, err := o.client.Resource(Databases).Namespace(next.GetNamespace()).UpdateStatus(ctx, next, metav1.UpdateOptions{FieldManager: "database-operator"})
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// startedAt is when the status was written last.
func startedAt(database *unstructured.Unstructured) time.Time {
	var at time.Time
	for _, m := range database.GetManagedFields() {
		if m.Subresource == "status" && m.Time != nil && m.Time.After(at) {
			at = m.Time.Time
		}
	}
	return at
}

// statusOf is what is said of a database in the end.
func statusOf(database *unstructured.Unstructured) map[string]any {
	engine, _, _ := unstructured.NestedString(database.Object, "spec", "engine")
	port, ok := ports[engine]
	if !ok {
		return said(database, "Failed", fmt.Sprintf("the engine %q is not offered here: take postgres or mysql", engine))
	}
	out := said(database, "Ready", "the database can be used")
	out["port"] = port
	out["host"] = database.GetName() + "." + database.GetNamespace() + ".databases.example.com"
	return out
}

// said is a status that says how a database stands, for people, programs and health checks.
func said(database *unstructured.Unstructured, phase, message string) map[string]any {
	status := "False"
	if phase == "Ready" {
		status = "True"
	}
	return map[string]any{
		"phase": phase, "message": message, "observedGeneration": database.GetGeneration(),
		"conditions": []any{map[string]any{
			"type": "Ready", "status": status, "reason": phase, "message": message, "observedGeneration": database.GetGeneration(),
		}},
	}
}
