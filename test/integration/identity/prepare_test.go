package identity_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// rolesOfTheEngine is the block of the document that an operator applies.
var rolesOfTheEngine = regexp.MustCompile("(?s)<!-- engine roles: applied by a test -->\n```yaml\n(.*?)```")

// prepare gives the engine's user the rights that the document asks for, and nothing more.
func prepare() error {
	document, err := os.ReadFile("../../../docs/service-accounts.md")
	if err != nil {
		return err
	}
	block := rolesOfTheEngine.FindSubmatch(document)
	if block == nil {
		return errors.New("the document shows no roles of the engine")
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	admin, err := newClient(shared.RESTConfig())
	if err != nil {
		return err
	}
	for _, documents := range []string{"{apiVersion: v1, kind: Namespace, metadata: {name: plait-system}}", string(block[1]), `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: plait-engine}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-engine}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: plait-engine}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: plait-engine, namespace: plait-system}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: plait-engine}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: plait-engine}]`} {
		if err := applyAll(ctx, admin, "", documents); err != nil {
			return err
		}
	}
	return waitForRoles(ctx)
}

// waitForRoles waits until the controller manager has gathered the engine's rules.
func waitForRoles(ctx context.Context) error {
	rc, err := shared.RESTConfigFor(engineUser)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(rc)
	if err != nil {
		return err
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{
			Verb: "patch", Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies",
		},
	}}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
		if err == nil && answer.Status.Allowed {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for the engine's roles: %w", errors.Join(ctx.Err(), err))
		case <-tick.C:
		}
	}
}
