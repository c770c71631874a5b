package main

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/test/world"
)

// slowness is how long the webhook takes for each child of the crowd.
const slowness = 2 * time.Second

var others = schema.GroupVersionResource{Group: "bench.plait.run", Version: "v1alpha1", Resource: "others"}

const slowWebhook = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: slow}
webhooks:
- name: slow.bench.plait.run
  admissionReviewVersions: [v1]
  sideEffects: None
  timeoutSeconds: 10
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
  matchConditions: [{name: crowd, expression: "object.metadata.name.startsWith('crowd-')"}]
`

// passTheCrowd measures the latency of a new instance of one kind while many of another kind are worked on behind a slow
// webhook, as a multiple of that of an idle engine.
func passTheCrowd(ctx context.Context, w *rig, size scale) ([]Row, error) {
	if err := w.serve(ctx, wide(1)); err != nil {
		return nil, err
	}
	other := strings.NewReplacer("name: things", "name: others", "kind: Thing", "kind: Other").Replace(wide(1))
	if _, err := w.Apply(ctx, namespace, other); err != nil {
		return nil, err
	}
	if err := w.until(ctx, "the other group", w.isServed(ctx, "others")); err != nil {
		return nil, err
	}
	webhook := httptest.NewTLSServer(http.HandlerFunc(admitSlowly))
	defer webhook.Close()
	if err := w.installWebhook(ctx, webhook); err != nil {
		return nil, err
	}
	idle, err := w.timeNew(ctx, "idle")
	if err != nil {
		return nil, err
	}
	if err := inParallel(size.crowd, func(i int) error { return w.create(ctx, fmt.Sprintf("crowd-%d", i)) }); err != nil {
		return nil, err
	}
	busy, err := w.timeNew(ctx, "busy")
	what := fmt.Sprintf("a new instance beside %d of another kind behind a webhook of %s", size.crowd, slowness)
	return []Row{multiple(what, 3, busy*1000, idle*1000, "ms")}, err
}

// timeNew gives the median time of several instances of the other kind until they are ACTIVE, one after the other, in
// seconds.
func (w *rig) timeNew(ctx context.Context, prefix string) (float64, error) {
	at := w.client.Resource(others).Namespace(namespace)
	times := make([]float64, 9)
	for i := range times {
		began := time.Now()
		made, err := at.Create(ctx, thing("Other", fmt.Sprintf("%s-%d", prefix, i), "first"), metav1.CreateOptions{})
		if err != nil {
			return 0, fmt.Errorf("creating an instance: %w", err)
		}
		err = w.until(ctx, "an instance of the other kind", func() (bool, error) {
			live, err := at.Get(ctx, made.GetName(), metav1.GetOptions{})
			return err == nil && world.IsReady(live), err
		})
		if err != nil {
			return 0, err
		}
		times[i] = time.Since(began).Seconds()
	}
	return middle(times), nil
}

func (w *rig) installWebhook(ctx context.Context, server *httptest.Server) error {
	objects, err := world.Read([]byte(slowWebhook))
	if err != nil {
		return err
	}
	bundle := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	hooks, _ := objects[0].Object["webhooks"].([]any)
	hook, _ := hooks[0].(map[string]any)
	hook["clientConfig"] = map[string]any{"url": server.URL, "caBundle": bundle}
	_, err = w.ApplyObject(ctx, "", objects[0])
	return err
}

// admitSlowly allows everything, after a while.
func admitSlowly(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var review admissionv1.AdmissionReview
	if err == nil {
		err = json.Unmarshal(body, &review)
	}
	if err != nil || world.Wait(r.Context(), slowness) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	answer, err := json.Marshal(review)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(answer)
}
