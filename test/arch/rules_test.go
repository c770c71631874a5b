package arch

// module is the path that our own imports start with.
const module = "github.com/plait-run/plait"

// An importRule says what some packages must not import.
//
// Patterns are as for the go command: "x" is that package, "x/..." is it and everything
// below. An import that starts with "./" is one of ours.
type importRule struct {
	// packages are who is bound by the rule.
	packages []string
	// except are packages among them that are not.
	except []string
	// forbidden are the imports.
	forbidden []string
	// allowed are imports among them that are not forbidden.
	allowed []string
	// tests says whether test files are bound too.
	tests bool
	// why is the reason, as the end of a sentence that says what is forbidden.
	why string
}

const (
	clientGo          = "k8s.io/client-go/..."
	controllerRuntime = "sigs.k8s.io/controller-runtime/..."
	prometheus        = "github.com/prometheus/..."
	celGo             = "github.com/google/cel-go/..."
	gonum             = "gonum.org/v1/gonum/..."
	cliUtils          = "sigs.k8s.io/cli-utils/..."
)

// logging is every way to write a log.
var logging = []string{"log", "log/slog", "github.com/go-logr/...", "k8s.io/klog/..."}

// importRules is the import table of ARCHITECTURE.md.
var importRules = []importRule{
	{
		packages:  []string{"api/..."},
		forbidden: []string{"./...", clientGo, controllerRuntime},
		why:       "the API types are imported by everybody, so they stay plain data",
	},
	{
		packages:  []string{"graph/..."},
		forbidden: []string{clientGo, controllerRuntime, prometheus, "./api/..."},
		why:       "a graph is a value, and compiling one works offline",
	},
	{
		packages: []string{"graph/..."},
		forbidden: []string{
			"./runtime/...", "./dynamiccontroller/...", "./connection/...", "./mounts/...",
		},
		why: "a graph does not know who consumes it",
	},
	{
		packages:  []string{"runtime/..."},
		forbidden: append([]string{clientGo, controllerRuntime, prometheus}, logging...),
		why:       "an evaluation is a function of its inputs",
	},
	{
		packages:  []string{"runtime/..."},
		forbidden: []string{"os/...", "net/...", "io/ioutil", "syscall", "embed"},
		why:       "the runtime does no I/O (I6)",
	},
	{
		packages:  []string{"runtime/..."},
		forbidden: []string{"./graph/compile", "./dynamiccontroller/...", "./connection/...", "./mounts/..."},
		why:       "an evaluation gets its graph ready made, and does not know who acts on its plan",
	},
	{
		packages: []string{
			"dynamiccontroller", "dynamiccontroller/watch", "dynamiccontroller/track", "dynamiccontroller/step",
		},
		forbidden: []string{"./graph/compile", "./runtime/..."},
		why:       "the engine moves keys, not meaning",
	},
	{
		packages:  []string{"connection/..."},
		forbidden: []string{"./mounts/...", "./runtime/...", "./dynamiccontroller/instance/..."},
		why:       "consumers know graphs only through package graph, and nothing of each other",
	},
	{
		packages:  []string{"mounts/..."},
		forbidden: []string{"./connection/...", "./runtime/...", "./dynamiccontroller/instance/..."},
		why:       "consumers know graphs only through package graph, and nothing of each other",
	},
	{
		packages: []string{
			"api/...", "graph/...", "runtime/...", "dynamiccontroller/...", "connection/...", "mounts/...",
		},
		// A program that `make generate` runs, and no part of the package above it.
		except:    []string{"graph/schema/internal/genopenapi"},
		forbidden: []string{"./cmd/...", "./test/..."},
		why:       "commands wire everything else together and are on top of it",
	},
	{
		packages:  []string{"..."},
		except:    []string{"graph/expr"},
		forbidden: []string{celGo},
		tests:     true,
		why:       "graph/expr is the one door to CEL: everybody else sees checked programs and values",
	},
	{
		packages:  []string{"..."},
		except:    []string{"graph/dag"},
		forbidden: []string{gonum},
		tests:     true,
		why:       "graph/dag is the one door to gonum: everybody else sees orders, layers and cycles",
	},
	{
		packages:  []string{"..."},
		forbidden: []string{cliUtils},
		allowed:   []string{"sigs.k8s.io/cli-utils/pkg/kstatus/status"},
		tests:     true,
		why:       "of cli-utils only kstatus is used; the rest drags kubectl in",
	},
}

// A callRule says which functions of a package must not be used, not even as values.
type callRule struct {
	packages  []string
	path      string
	functions []string
	why       string
}

// callRules are the rules about single functions. Test files are not bound.
var callRules = []callRule{
	{
		packages: []string{"runtime/..."},
		path:     "time",
		functions: []string{
			"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker",
		},
		why: "an evaluation is a function of its inputs: time is one of them, and is passed in",
	},
}

// topLevel are the folders that may stand at the top: what the tree is read by.
var topLevel = []string{
	"api", "cmd", "connection", "deploy", "docs", "dynamiccontroller", "examples", "graph",
	"mounts", "runtime", "test", "tools",
}

// notOurs are folders at the top that are no part of the source: what is built goes there.
var notOurs = []string{"bin"}

// nameless are package names that say nothing about what is inside.
var nameless = []string{"pkg", "util", "utils", "common", "helper", "helpers", "misc", "shared"}
