package draw

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-run/plait/graph"
	"github.com/plait-run/plait/graph/dag"
)

// sketch makes a graph of lines like `web Deployment apps/v1 conditional < config ~cache >job`: an id, a kind, an API, and
// what it is and needs. A kind of `def`, and the words external, list, each, conditional and absent, make other nodes.
func sketch(name string, lines ...string) *graph.Graph {
	spec := graph.Spec{
		Name: name, Namespaced: true,
		Kind: schema.GroupVersionKind{Group: "apps.plait.run", Version: "v1alpha1", Kind: "WebApp"},
	}
	for i, line := range lines {
		words, needs, _ := strings.Cut(line, "<")
		n := sketchNode(strings.Fields(words))
		n.Index = i
		for _, need := range strings.Fields(needs) {
			kind := graph.Hard
			switch need[0] {
			case '~':
				kind = graph.Soft
			case '>':
				kind = graph.Order
			}
			id := strings.TrimLeft(need, "~>")
			n.Needs = append(n.Needs, graph.Need{ID: id, Kind: kind, Path: "template.data." + id})
		}
		spec.Nodes = append(spec.Nodes, n)
	}
	sorted := sortNodes(spec.Nodes)
	spec.Order, spec.Layers = sorted.Order, sorted.Layers
	return graph.New(spec)
}

func sketchNode(words []string) *graph.Node {
	n := &graph.Node{ID: words[0], Installed: true}
	if words[1] == "def" {
		n.Kind = graph.Def
	} else {
		n.GVK = schema.FromAPIVersionAndKind(words[2], words[1])
	}
	for _, word := range words[min(3, len(words)):] {
		switch word {
		case "external":
			n.Kind = graph.External
		case "list":
			n.Kind = graph.ExternalList
		case "each":
			n.ForEach = []*graph.Iterator{{Name: "zone"}}
		case "conditional":
			n.IncludeWhen = []*graph.Condition{{}}
		case "absent":
			n.Installed = false
		}
	}
	return n
}

func sortNodes(nodes []*graph.Node) dag.Result {
	index := map[string]int{}
	for i, n := range nodes {
		index[n.ID] = i
	}
	var edges []dag.Edge
	for i, n := range nodes {
		for _, need := range n.Needs {
			edges = append(edges, dag.Edge{From: i, Needs: index[need.ID]})
		}
	}
	return dag.Sort(len(nodes), edges)
}

// small has every kind of node and edge.
func small() *graph.Graph {
	return sketch("webapps.apps.plait.run",
		"zones ConfigMap v1 external",
		"peers Service v1 list",
		"labels def",
		"config ConfigMap v1 < labels zones",
		"password Secret v1",
		"database Database db.example.com/v1 conditional absent < password",
		"migration Job batch/v1 conditional < config database",
		"web Deployment apps/v1 each < config password ~database >migration",
		"service Service v1 < web labels",
		"ingress Ingress networking.k8s.io/v1 conditional < service ~peers",
		"audit ConfigMap v1",
	)
}

// platform is about as large as groups of people are that are called large: 30 nodes.
func platform() *graph.Graph {
	return sketch("platforms.apps.plait.run",
		"names def",
		"region ConfigMap v1 external",
		"namespace Namespace v1",
		"account ServiceAccount v1 < namespace",
		"role Role rbac.authorization.k8s.io/v1 < namespace",
		"binding RoleBinding rbac.authorization.k8s.io/v1 < role account",
		"tls Certificate cert-manager.io/v1 < namespace names",
		"bucket Bucket storage.example.com/v1 < namespace region",
		"bucketPolicy BucketPolicy storage.example.com/v1 < bucket account",
		"database Database db.example.com/v1 < namespace region",
		"databaseUser User db.example.com/v1 < database",
		"databaseSecret Secret v1 < databaseUser database",
		"migrate Job batch/v1 < databaseSecret",
		"cache StatefulSet apps/v1 conditional < namespace",
		"cacheService Service v1 conditional < cache",
		"queue Queue mq.example.com/v1 < namespace",
		"queueSecret Secret v1 < queue",
		"settings ConfigMap v1 < names region bucket ~cacheService",
		"api Deployment apps/v1 < settings databaseSecret account >migrate",
		"apiService Service v1 < api",
		"apiScaler HorizontalPodAutoscaler autoscaling/v2 conditional < api",
		"workers Deployment apps/v1 each < settings queueSecret databaseSecret account >migrate",
		"frontend Deployment apps/v1 < settings apiService",
		"frontendService Service v1 < frontend",
		"ingress Ingress networking.k8s.io/v1 < frontendService apiService tls",
		"dns Record dns.example.com/v1 conditional < ingress",
		"monitor ServiceMonitor monitoring.coreos.com/v1 conditional absent < apiService",
		"dashboards ConfigMap v1 each < names",
		"quota ResourceQuota v1",
		"limits LimitRange v1",
	)
}

// generated has n nodes that need some of the ones before them, the last few more often. Equal arguments give equal graphs.
func generated(n int, seed uint64) *graph.Graph {
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	kinds := []string{
		"Deployment apps/v1", "ConfigMap v1", "Service v1", "Secret v1", "Job batch/v1", "def", "ConfigMap v1 external",
		"StatefulSet apps/v1 each", "Ingress networking.k8s.io/v1 conditional", "Database db.example.com/v1",
	}
	lines := make([]string, n)
	for i := range lines {
		line := fmt.Sprintf("node%d %s <", i, kinds[random.IntN(len(kinds))])
		seen := map[int]bool{}
		for range random.IntN(4) {
			reach := i
			if random.IntN(3) > 0 {
				reach = min(i, 20)
			}
			if reach == 0 {
				continue
			}
			if need := i - 1 - random.IntN(reach); !seen[need] {
				seen[need] = true
				line += " " + []string{"", "", "", "~", ">"}[random.IntN(5)] + fmt.Sprintf("node%d", need)
			}
		}
		lines[i] = line
	}
	return sketch(fmt.Sprintf("generated%d", n), lines...)
}

// fleet has services of seven nodes each, which share some settings and call each other.
func fleet(services int) *graph.Graph {
	lines := []string{
		"names def", "cluster ConfigMap v1 external", "nodes Node v1 list", "space Namespace v1",
		"issuer Issuer cert-manager.io/v1 < space", "shared ConfigMap v1 < names cluster", "dashboards ConfigMap v1 each < nodes",
	}
	for i := range services {
		called := ""
		if i > 0 && i%3 != 0 {
			called = fmt.Sprintf(" ~api%dService", i-i%3)
		}
		lines = append(lines,
			fmt.Sprintf("api%dConfig ConfigMap v1 < shared", i),
			fmt.Sprintf("api%dDatabase Database db.example.com/v1 < space", i),
			fmt.Sprintf("api%dSecret Secret v1 < api%dDatabase", i, i),
			fmt.Sprintf("api%dMigration Job batch/v1 conditional < api%dSecret", i, i),
			fmt.Sprintf("api%d Deployment apps/v1 %s < api%dConfig api%dSecret >api%dMigration%s", i, []string{"", "each"}[i%2], i, i, i, called),
			fmt.Sprintf("api%dService Service v1 < api%d", i, i),
			fmt.Sprintf("api%dRoute HTTPRoute gateway.networking.k8s.io/v1 conditional < api%dService issuer", i, i),
		)
	}
	return sketch("fleets.apps.plait.run", lines...)
}
