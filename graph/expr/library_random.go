package expr

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/google/cel-go/cel"
	celtypes "github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

const (
	maxSeededLength = 256
	seededAlphabet  = "abcdefghijklmnopqrstuvwxyz0123456789"
)

// randomFunctions look random and are a function of their seed.
func randomFunctions() []cel.EnvOption {
	return []cel.EnvOption{
		cel.Function("random.seededString", cel.Overload("plait_seeded_string",
			[]*cel.Type{cel.IntType, cel.StringType}, cel.StringType, cel.BinaryBinding(seededString))),
		cel.Function("random.seededInt", cel.Overload("plait_seeded_int",
			[]*cel.Type{cel.IntType, cel.IntType, cel.StringType}, cel.IntType, cel.FunctionBinding(seededInt))),
	}
}

// stream is SHA-256 of the seed and a counter, one block after the other.
type stream struct {
	seed    string
	counter uint64
	block   []byte
}

func (s *stream) next() byte {
	if len(s.block) == 0 {
		input := binary.BigEndian.AppendUint64(append([]byte(s.seed), 0), s.counter)
		sum := sha256.Sum256(input)
		s.block = sum[:]
		s.counter++
	}
	b := s.block[0]
	s.block = s.block[1:]
	return b
}

// below gives an even choice of 0 … n-1: what lies in the last, incomplete run of n is thrown away.
func (s *stream) below(n uint64) uint64 {
	limit := -n % n // 2^64 mod n
	for {
		var word [8]byte
		for i := range word {
			word[i] = s.next()
		}
		if v := binary.BigEndian.Uint64(word[:]); v >= limit {
			return v % n
		}
	}
}

func seededString(length, seed ref.Val) ref.Val {
	n, isInt := length.(celtypes.Int)
	text, isText := seed.(celtypes.String)
	if !isInt || !isText {
		return celtypes.NoSuchOverloadErr()
	}
	if n < 1 || n > maxSeededLength {
		return celtypes.NewErr("random.seededString: the length must be 1 to %d, and it is %d", maxSeededLength, n)
	}
	s := &stream{seed: string(text)}
	result := make([]byte, n)
	for i := range result {
		result[i] = seededAlphabet[s.below(uint64(len(seededAlphabet)))]
	}
	return celtypes.String(result)
}

// seededInt gives an int from min up to but not including max.
func seededInt(args ...ref.Val) ref.Val {
	low, isLow := args[0].(celtypes.Int)
	high, isHigh := args[1].(celtypes.Int)
	seed, isText := args[2].(celtypes.String)
	if !isLow || !isHigh || !isText {
		return celtypes.NoSuchOverloadErr()
	}
	if low >= high {
		return celtypes.NewErr("random.seededInt: max must be greater than min; they are %d and %d", high, low)
	}
	choice := (&stream{seed: string(seed)}).below(uint64(high) - uint64(low))
	return low + celtypes.Int(choice)
}
