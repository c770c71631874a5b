package expr

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"hash"
	"hash/fnv"

	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// hashFunctions give the sum of a string or bytes, as bytes.
func hashFunctions() []cel.EnvOption {
	function := func(name string, sum func() hash.Hash) cel.EnvOption {
		binding := cel.UnaryBinding(func(value ref.Val) ref.Val { return hashed(sum(), value) })
		return cel.Function("hash."+name,
			cel.Overload("plait_hash_"+name+"_string", []*cel.Type{cel.StringType}, cel.BytesType, binding),
			cel.Overload("plait_hash_"+name+"_bytes", []*cel.Type{cel.BytesType}, cel.BytesType, binding))
	}
	return []cel.EnvOption{
		function("md5", md5.New), function("sha1", sha1.New), function("sha256", sha256.New),
		function("fnv64a", func() hash.Hash { return fnv.New64a() }),
	}
}

func hashed(sum hash.Hash, value ref.Val) ref.Val {
	switch v := value.(type) {
	case celtypes.String:
		sum.Write([]byte(v))
	case celtypes.Bytes:
		sum.Write(v)
	default:
		return celtypes.MaybeNoSuchOverloadErr(value)
	}
	return celtypes.Bytes(sum.Sum(nil))
}
