package sync_test

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/plait-run/plait/test/world"
)

// TestWebhook has a webhook of the provider refuse an object: its words are on the object, until it has no objection.
func TestWebhook(t *testing.T) {
	t.Parallel()
	o := newOffer(t)
	w := newWays()
	w.open(t, o.connection(), acme.RESTConfig())
	run(t, w)
	here, there := o.space("")
	webhook := httptest.NewTLSServer(http.HandlerFunc(refuseThirteen))
	t.Cleanup(webhook.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: webhook.Certificate().Raw})
	there.Apply(fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: %s}
webhooks:
- name: numbers.example.com
  admissionReviewVersions: [v1]
  sideEffects: None
  clientConfig: {url: %q, caBundle: %s}
  rules: [{apiGroups: [%s], apiVersions: ["*"], operations: [CREATE, UPDATE], resources: [databases]}]`,
		o.connection(), webhook.URL, base64.StdEncoding.EncodeToString(authority), strings.TrimPrefix(o.name, "databases.")))
	t.Cleanup(func() { there.Delete("validatingwebhookconfigurations", o.connection()) })
	o.bind("")

	n := 0
	world.Eventually(t, "the webhook is not asked", func() error {
		n++
		name := fmt.Sprintf("a%d", n)
		here.Apply(o.database(name, "{size: 13}"))
		var said string
		world.Eventually(t, "nothing becomes of the object", func() error {
			if said = world.Condition(must(here.Get(o.name, name)), "Synced"); said != "absent" {
				return nil
			}
			_, err := there.Get(o.name, name)
			return err
		})
		if !strings.HasPrefix(said, "False/") || !strings.Contains(said, "thirteen is unlucky here") {
			return fmt.Errorf("Synced is %s", said)
		}
		return nil
	})
	name := fmt.Sprintf("a%d", n)
	here.WaitFor(o.name, name, synced("False/AdmissionDenied: the provider refuses it: admission webhook"))
	waitEvent(t, here, name, "AdmissionDenied")
	if _, err := there.Get(o.name, name); err == nil {
		t.Error("the copy is there all the same")
	}
	here.Patch(o.name, name, `{"spec":{"size":14}}`)
	there.WaitFor(o.name, name, specIs("size", int64(14)))
	here.WaitFor(o.name, name, synced("absent"))
}

// refuseThirteen is the webhook.
func refuseThirteen(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	if json.NewDecoder(r.Body).Decode(&review) != nil || review.Request == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	u := &unstructured.Unstructured{}
	isFine := u.UnmarshalJSON(review.Request.Object.Raw) != nil || specIs("size", int64(13))(u) != nil
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: isFine}
	if !isFine {
		review.Response.Result = &metav1.Status{Code: http.StatusForbidden, Message: "thirteen is unlucky here"}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review)
}
