package expr

import (
	"math"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/overloads"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	k8slibrary "k8s.io/apiserver/pkg/cel/library"
)

// costs is the price of function calls: Kubernetes' numbers where it has one, CEL's for its operators and standard
// functions, and for all others the size of what goes in and comes out. CEL itself would count those as 1.
type costs struct{}

var kubernetesCosts = &k8slibrary.CostEstimator{}

// flat are functions that cost the same whatever the size of what they are given.
var flat = map[string]bool{
	"dyn": true, "type": true, "value": true, "hasValue": true, "first": true, "last": true, omitFunction: true,
	"optional.of": true, "optional.none": true, "optional.ofNonZeroValue": true, "cel.@mapInsert": true,
}

// standard are functions that CEL prices by size itself.
var standard = map[string]bool{
	overloads.Contains: true, overloads.StartsWith: true, overloads.EndsWith: true, overloads.Matches: true,
}

// CallCost is the price of one call after it was made; nil leaves it to CEL.
func (costs) CallCost(function, overload string, args []ref.Val, result ref.Val) *uint64 {
	if cost := kubernetesCosts.CallCost(function, overload, args, result); cost != nil {
		return cost
	}
	if flat[function] || standard[function] || strings.ContainsAny(function[:1], "_!-@") && function != inKeyOrder {
		return nil
	}
	cost := uint64(1)
	for _, arg := range args {
		cost += sizeCost(function, arg)
	}
	switch function {
	case "distinct":
		cost += sizeCost(function, args[0]) * sizeCost(function, args[0])
	case "sets.contains", "sets.intersects", "sets.equivalent":
		cost += sizeCost(function, args[0]) * sizeCost(function, args[1])
	}
	cost += sizeCost(function, result)
	return &cost
}

func sizeCost(function string, value ref.Val) uint64 {
	switch v := value.(type) {
	case celtypes.String:
		return traversal(len(v))
	case celtypes.Bytes:
		return traversal(len(v))
	case traits.Sizer:
		if size, ok := v.Size().(celtypes.Int); ok && function != overloads.Size {
			return uint64(size)
		}
	}
	return 0
}

func traversal(length int) uint64 {
	return uint64(math.Ceil(float64(length) * common.StringTraversalCostFactor))
}
