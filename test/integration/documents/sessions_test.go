package documents_test

import (
	"strings"
	"testing"
)

// session is a block of commands that is followed.
type session struct {
	page, first string
	before      string            // what its reader has done by then
	names       map[string]string // what the reader writes in place of a name
	after       string            // what must hold then
}

const (
	webapp = `kubectl apply --server-side -f examples/webapp/group.yaml
kubectl wait --for=condition=Ready resourcegroup/webapps.apps.plait.run`
	shop = webapp + `
kubectl apply --server-side -f examples/webapp/instance.yaml
kubectl wait --for=condition=Ready webapp/shop`
	// shopOfTeam is written by an account that may not write Deployments.
	shopOfTeam = webapp + `
kubectl create serviceaccount deployer -n team-a
kubectl create role most -n team-a --verb='*' --resource=configmaps,services
kubectl create rolebinding most -n team-a --role=most --serviceaccount=team-a:deployer
kubectl patch resourcegroup webapps.apps.plait.run --type merge -p '{"spec":{"defaultServiceAccounts":{"*":"deployer"}}}'
kubectl wait --for=jsonpath='{.status.servedRevision}'=2 resourcegroup/webapps.apps.plait.run
sed -e 's/namespace: default/namespace: team-a/' -e /host:/d examples/webapp/instance.yaml >shop.yaml
kubectl apply --server-side -f shop.yaml
kubectl wait --for=jsonpath='{.status.state}'=FAILED webapp/shop -n team-a`
	// noPods leaves no place for pods, so that nothing becomes ready.
	noPods = `kubectl cordon -l kubernetes.io/os=linux
plait rbac -f examples/webapp/group.yaml | kubectl apply --server-side -f -
kubectl create rolebinding deployer -n team-a --clusterrole plait-account-webapps.apps.plait.run --serviceaccount team-a:deployer
kubectl annotate webapp/shop -n team-a plait.run/reconcile-at=now
kubectl wait --for=jsonpath='{.status.state}'=IN_PROGRESS webapp/shop -n team-a
kubectl wait --for=create deployment/shop -n team-a`
	// kustomization is the page's; the engine has installed its definitions in this cluster itself, so this is refused at first.
	kustomization = `kubectl apply --server-side -k . >said 2>&1 && exit 1
grep -q 'conflict with "plait' said`
	sites = `cp -r examples/canary/next .
kubectl apply --server-side -f examples/canary/group.yaml
kubectl wait --for=condition=Ready resourcegroup/sites.apps.plait.run
kubectl apply --server-side -f examples/canary/instance.yaml
kubectl wait --for=condition=Ready site --all`
	// image is the page's, built and pushed by a program that only writes down what it is asked for.
	image = `cat >bin/docker <<'EOF'
#!/bin/sh
[ "$1" != build ] || [ -f Dockerfile ] && echo "$@" >>"$HOME/docker"
EOF
chmod u+x bin/docker
: >"$HOME/docker"`
	isImage = `grep -E '^build --build-arg VERSION=[^ ]+ -t registry.example.com/plait:1 \.$' "$HOME/docker"
grep -x 'push registry.example.com/plait:1' "$HOME/docker"`
	kro = `cat >crd.yaml <<'EOF'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: resourcegraphdefinitions.kro.run}
spec:
  group: kro.run
  names: {kind: ResourceGraphDefinition, plural: resourcegraphdefinitions, shortNames: [rgd]}
  scope: Cluster
  versions:
  - {name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
EOF
cp examples/from-kro/rgd.yaml .
kubectl apply --server-side -f crd.yaml
kubectl wait --for=condition=Established crd/resourcegraphdefinitions.kro.run
kubectl apply --server-side -f rgd.yaml`
)

const makeImage = "make image IMAGE=registry.example.com/plait:1"

// sessions are followed in this order.
var sessions = []session{
	{page: "README.md", first: "export KUBECONFIG=$PWD/.plait/cluster/kubeconfig PATH=$PWD/bin:$PWD/bin/k8s:$PATH", before: shop, after: "! kubectl get webapp shop"},
	{page: "README.md", first: makeImage, before: image, after: isImage},
	{page: "docs/guides/install.md", first: makeImage, before: image, after: isImage},
	{page: "README.md", first: "make build", after: "kubectl wait --for=condition=Ready greeting/hello"},
	{page: "docs/groups.md", first: "kubectl get resourcegroups"},
	{
		page: "docs/groups.md", first: `kubectl annotate resourcegroup NAME plait.run/allow-breaking-changes="$(kubectl get resourcegroup NAME -o jsonpath='{.metadata.generation}')"`,
		names: map[string]string{"NAME": "greetings"},
	},
	{page: "docs/guides/troubleshooting.md", first: "kubectl get resourcegroups", names: map[string]string{"NAME": "greetings"}},
	{
		page: "docs/guides/gitops.md", first: "plait validate -f groups/ -f instances/",
		before: "mkdir groups instances; cp examples/webapp/group.yaml groups/webapp.yaml; cp examples/webapp/instance.yaml instances/shop.yaml",
	},
	{page: "docs/migrating-from-kro.md", first: "plait convert -f rgd.yaml > group.yaml", before: kro},
	{
		page: "docs/guides/install.md", first: "kubectl create rolebinding plait-impersonator -n team-a --clusterrole=plait-impersonator --serviceaccount=plait-system:plait-engine",
		after: "kubectl get rolebinding plait-impersonator -n team-a",
	},
	{
		page: "docs/connections.md", first: "kubectl delete clusterrolebindings,clusterroles -l app.kubernetes.io/instance=plait-consumer-7d81f3f7",
		before: "kubectl create serviceaccount plait-consumer-7d81f3f7 -n plait; kubectl label serviceaccount plait-consumer-7d81f3f7 -n plait app.kubernetes.io/instance=plait-consumer-7d81f3f7",
		after:  "! kubectl get serviceaccount plait-consumer-7d81f3f7 -n plait",
	},
	{
		page: "docs/mounts.md", first: "kubectl get workspaces",
		before: `kubectl apply --server-side -f examples/tenant-cluster/group.yaml
kubectl wait --for=condition=Ready resourcegroup/tenantclusters.apps.plait.run
kubectl apply --server-side -f examples/tenant-cluster/instance.yaml -f examples/tenant-cluster/workspace.yaml
kubectl wait --for=jsonpath='{.status.phase}'=Ready workspace/team-green`,
	},
	{
		page: "examples/tenant-cluster/README.md", first: "kubectl apply -f group.yaml", before: "cp examples/tenant-cluster/*.yaml .",
		names: map[string]string{" --watch": ""}, after: "kubectl wait --for=jsonpath='{.status.phase}'=Ready workspace/team-green",
	},
	{
		page: "examples/canary/README.md", first: "kubectl annotate site --all plait.run/revision=1      # everybody stays where they are",
		before: sites, after: "kubectl wait --for=jsonpath='{.status.revision}'=2 site --all",
	},
	{
		page: "examples/from-kro/README.md", first: "bin/plait convert -f examples/from-kro/rgd.yaml > group.yaml",
		after: "cmp group.yaml examples/from-kro/group.yaml; kubectl wait --for=condition=Ready guestbook/visitors",
	},
	{
		page: "examples/README.md", first: "bin/plait dev -f examples/queue-worker", names: map[string]string{"bin/plait dev --provider": "true"},
		after: "kubectl wait --for=condition=Ready queueworker/invoices",
	},
	{page: "docs/inspecting.md", first: "plait explain webapp/shop -n team-a", before: shopOfTeam},
	{page: "docs/inspecting.md", first: "plait tree webapp/shop -n team-a", before: noPods, after: "kubectl uncordon -l kubernetes.io/os=linux"},
	{
		page: "docs/guides/install.md", first: "kubectl apply --server-side --force-conflicts -k .", before: kustomization,
		after: "kubectl apply --server-side -k .",
	},
	{
		page: "docs/guides/upgrade-and-uninstall.md", first: "kubectl delete crd -l app.kubernetes.io/managed-by=plait.run",
		before: `kubectl delete workspaces --all
for kind in webapps greetings tenantclusters sites queueworkers; do kubectl delete $kind.apps.plait.run -A --all; done
kubectl delete guestbooks.kro.run --all
kubectl delete resourcegroups --all`,
		after: "! kubectl get crd -o name | grep -E 'plait.run'",
	},
}

// follow does what the block says.
func (s session) follow(t *testing.T, r *reader) {
	if s.before != "" {
		r.must(t, s.before)
	}
	for _, b := range blocksOf(t, s.page) {
		if b.first() != s.first {
			continue
		}
		for name, with := range s.names {
			b.text = strings.ReplaceAll(b.text, name, with)
		}
		for _, c := range b.commands() {
			r.do(t, c)
		}
	}
	if s.after != "" {
		r.must(t, s.after)
	}
}
