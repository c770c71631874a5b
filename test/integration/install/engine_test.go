package install_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/plait-run/plait/cmd/plait/engine"
	"github.com/plait-run/plait/cmd/plait/offline"
	"github.com/plait-run/plait/cmd/plait/rbac"
	"github.com/plait-run/plait/test/world"
)

const home = "plait-system"

// asInstalled are the options of the engine as the Deployment of the kustomization has them, and the rights of its service
// account. Only its addresses are others, and its definitions are in the cluster.
func asInstalled(t *testing.T) func(*engine.Options) {
	t.Helper()
	deployment, err := shared.Get(t.Context(), "Deployment", home, "plait-engine")
	if err != nil {
		t.Fatal(err)
	}
	pod, _, _ := unstructured.NestedMap(deployment.Object, "spec", "template", "spec")
	containers, _ := pod["containers"].([]any)
	container, _ := containers[0].(map[string]any)
	args, _, _ := unstructured.NestedStringSlice(container, "args")
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "$(POD_NAMESPACE)", home)
	}
	if args[0] != "controller" {
		t.Fatalf("the container runs %v", args)
	}
	account, _ := pod["serviceAccountName"].(string)
	config := asAccount(t, account)
	return func(o *engine.Options) {
		log, address := o.LogOutput, o.MetricsAddress
		*o = engine.Defaults()
		flags := pflag.NewFlagSet("controller", pflag.ContinueOnError)
		o.Register(flags)
		if err := flags.Parse(args[1:]); err != nil {
			t.Fatal(err)
		}
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		o.RESTConfig, o.LogOutput, o.MetricsAddress, o.HealthAddress = config, log, address, "0"
	}
}

// asAccount gives access with a token of a service account of the engine's namespace.
func asAccount(t *testing.T, name string) *rest.Config {
	t.Helper()
	client, err := kubernetes.NewForConfig(shared.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	token, err := client.CoreV1().ServiceAccounts(home).CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := rest.AnonymousClientConfig(shared.RESTConfig())
	config.BearerToken = token.Status.Token
	return config
}

// may asks whether an account of the engine's namespace may do something in all namespaces.
func may(t *testing.T, config *rest.Config, verb, group, resource string) bool {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	review := &authorizationv1.SelfSubjectAccessReview{Spec: authorizationv1.SelfSubjectAccessReviewSpec{
		ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: verb, Group: group, Resource: resource},
	}}
	answer, err := client.AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), review, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return answer.Status.Allowed
}

// TestEngineRunsWithTheRightsOfTheChart brings the example up with the service account, roles and flags of the
// installation, and with what its guides tell a platform team to add.
func TestEngineRunsWithTheRightsOfTheChart(t *testing.T) {
	config := asAccount(t, "plait-engine")
	world.Eventually(t, "the engine's rights are not gathered", func() error {
		if !may(t, config, "patch", "plait.run", "resourcegroups") {
			return fmt.Errorf("it may not patch resourcegroups")
		}
		return nil
	})
	for _, never := range [][3]string{
		{"list", "", "secrets"}, {"impersonate", "", "serviceaccounts"}, {"create", "", "configmaps"}, {"patch", "apps", "deployments"},
		{"create", "rbac.authorization.k8s.io", "clusterroles"}, {"bind", "rbac.authorization.k8s.io", "clusterroles"},
	} {
		if may(t, config, never[0], never[1], never[2]) {
			t.Errorf("the engine may %s %s everywhere", never[0], never[2])
		}
	}
	shared.RunEngine(t, asInstalled(t))
	space := shared.Space(t, "team-install")
	serveExample(t, space)
	space.WaitReady("WebApp", "shop", "False/Forbidden")

	space.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: plait-impersonator}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-impersonator}
subjects: [{kind: ServiceAccount, name: plait-engine, namespace: plait-system}]`)
	shop := space.WaitStatus("WebApp", "shop", "state", "ACTIVE")
	if got, _, _ := unstructured.NestedString(shop.Object, "status", "serviceAccount"); got != "team-install/deployer" {
		t.Errorf("%q acts", got)
	}
	space.Remove("WebApp", "shop")
	space.WaitGone("Deployment", "shop")
	space.Remove("ResourceGroup", "webapps.apps.plait.run")
}

// serveExample applies the group of the example webapp with an account for its children, the account and its roles as
// plait rbac prints them, and an instance.
func serveExample(t *testing.T, space *world.Space) {
	t.Helper()
	objects, err := world.ReadFile(world.InTree("examples", "webapp", "group.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	group := objects[0]
	accounts := map[string]any{"*": "deployer"}
	if err := unstructured.SetNestedMap(group.Object, accounts, "spec", "defaultServiceAccounts"); err != nil {
		t.Fatal(err)
	}
	space.Apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: deployer}}")
	space.Apply(rolesOfExample(t))
	space.Apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: deployer}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: plait-account-webapps.apps.plait.run}
subjects: [{kind: ServiceAccount, name: deployer, namespace: ` + space.Namespace + `}]`)
	if _, err := space.ApplyObject(t.Context(), "", group); err != nil {
		t.Fatal(err)
	}
	space.WaitReady("ResourceGroup", group.GetName(), "True")
	instance, err := os.ReadFile(world.InTree("examples", "webapp", "instance.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	space.Apply(strings.ReplaceAll(string(instance), "namespace: default", "namespace: "+space.Namespace))
}

// rolesOfExample are what plait rbac prints for the group: for the engine, the account and the users.
func rolesOfExample(t *testing.T) string {
	t.Helper()
	documents, problems, err := offline.Read([]string{world.InTree("examples", "webapp", "group.yaml")}, nil)
	if err != nil || problems.HasErrors() {
		t.Fatal(err, problems.Sorted())
	}
	set, err := offline.Load(t.Context(), documents, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := rbac.YAML(rbac.Documents(set.Groups[0].Graph))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPoliciesAreBound has no shipped policy without its binding.
func TestPoliciesAreBound(t *testing.T) {
	policies := shared.Space(t, "default").Names("ValidatingAdmissionPolicy", "plait-")
	bindings := shared.Space(t, "default").Names("ValidatingAdmissionPolicyBinding", "plait-")
	if !slices.Equal(policies, bindings) || !slices.Contains(policies, "plait-service-accounts") {
		t.Errorf("policies %v, bindings %v", policies, bindings)
	}
}
