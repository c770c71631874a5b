package expr

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"weak"

	celtypes "github.com/google/cel-go/common/types"
)

// structure is what makes two types the same. There is one structure of a kind at a time, so that pointers compare.
type structure struct {
	kind     Kind
	elem     *structure
	fields   map[string]*structure
	open     bool
	nullable bool
	name     string // of Other

	key string         // canonical form, hashed where it is long
	cel *celtypes.Type // what CEL's checker knows it as
}

// structures holds every structure in use by its key; CEL's checker asks for objects by name.
var structures = struct {
	sync.Mutex
	byKey map[string]weak.Pointer[structure]
}{byKey: map[string]weak.Pointer[structure]{}}

// primitives are the structures without parts, not nullable and nullable; these are never dropped.
var primitives = func() (made [Null + 1][2]*structure) {
	for kind := Dynamic; kind <= Null; kind++ {
		for i, nullable := range []bool{false, true} {
			s := &structure{kind: kind, nullable: nullable}
			s.key, s.cel = s.canonical(), s.celType()
			made[kind][i] = s
		}
	}
	return made
}()

// intern gives the one structure that equals s, whose parts must be interned already.
func intern(s structure) *structure {
	if s.kind <= Null {
		if s.nullable {
			return primitives[s.kind][1]
		}
		return primitives[s.kind][0]
	}
	s.key = s.canonical()
	structures.Lock()
	defer structures.Unlock()
	if known := structures.byKey[s.key].Value(); known != nil {
		return known
	}
	s.cel = s.celType()
	made := &s
	structures.byKey[s.key] = weak.Make(made)
	runtime.AddCleanup(made, forget, s.key)
	return made
}

// forget drops a key whose structure is gone, unless an equal one was made since.
func forget(key string) {
	structures.Lock()
	defer structures.Unlock()
	if structures.byKey[key].Value() == nil {
		delete(structures.byKey, key)
	}
}

// objectNamed finds the object that CEL knows under this name; nil if there is none.
func objectNamed(name string) *structure {
	if !strings.HasPrefix(name, objectPrefix) {
		return nil
	}
	structures.Lock()
	defer structures.Unlock()
	return structures.byKey[name].Value()
}

const objectPrefix = "object."

func (s *structure) canonical() string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(int(s.kind)))
	if s.nullable {
		b.WriteByte('?')
	}
	switch s.kind {
	case List, Map, Optional:
		b.WriteString("(" + s.elem.key + ")")
	case Other:
		b.WriteString(s.name)
	case Object:
		b.WriteString(strconv.FormatBool(s.open))
		for _, name := range slices.Sorted(maps.Keys(s.fields)) {
			b.WriteString(strconv.Quote(name) + s.fields[name].key)
		}
		sum := sha256.Sum256([]byte(b.String()))
		return objectPrefix + hex.EncodeToString(sum[:16])
	default: // the kind says it all
	}
	return b.String()
}

var kindNames = [...]string{
	Dynamic: "dyn", Bool: "bool", Int: "int", Uint: "uint", Double: "double", String: "string", Bytes: "bytes",
	Timestamp: "timestamp", Duration: "duration", IntOrString: "int or string", Null: "null", Object: "object",
}

// String is the type as people read it.
func (s *structure) String() string {
	switch s.kind {
	case List:
		return "list(" + s.elem.String() + ")"
	case Map:
		return "map(string, " + s.elem.String() + ")"
	case Optional:
		return "optional(" + s.elem.String() + ")"
	case Other:
		return s.name
	default:
		return kindNames[s.kind]
	}
}

var celPrimitives = map[Kind]*celtypes.Type{
	Bool: celtypes.BoolType, Int: celtypes.IntType, Uint: celtypes.UintType, Double: celtypes.DoubleType,
	String: celtypes.StringType, Bytes: celtypes.BytesType, Timestamp: celtypes.TimestampType,
	Duration: celtypes.DurationType, Null: celtypes.NullType,
}

func (s *structure) celType() *celtypes.Type {
	switch s.kind {
	case Bool, Int, Uint, Double, String, Bytes:
		if s.nullable {
			return celtypes.NewNullableType(celPrimitives[s.kind])
		}
		return celPrimitives[s.kind]
	case Timestamp, Duration, Null:
		return celPrimitives[s.kind]
	case List:
		return celtypes.NewListType(s.elem.cel)
	case Map:
		return celtypes.NewMapType(celtypes.StringType, s.elem.cel)
	case Optional:
		return celtypes.NewOptionalType(s.elem.cel)
	case Object:
		return celtypes.NewObjectType(s.key)
	default:
		return celtypes.DynType
	}
}

var celKinds = map[celtypes.Kind]Kind{
	celtypes.BoolKind: Bool, celtypes.IntKind: Int, celtypes.UintKind: Uint, celtypes.DoubleKind: Double,
	celtypes.StringKind: String, celtypes.BytesKind: Bytes, celtypes.TimestampKind: Timestamp,
	celtypes.DurationKind: Duration, celtypes.NullTypeKind: Null,
}

// fromCEL is the structure of a checked expression.
func fromCEL(t *celtypes.Type) *structure {
	if t == nil {
		return intern(structure{})
	}
	if kind, ok := celKinds[t.Kind()]; ok {
		nullable := kind < Timestamp && t.IsAssignableType(celtypes.NullType)
		return intern(structure{kind: kind, nullable: nullable})
	}
	switch t.Kind() {
	case celtypes.ListKind:
		return intern(structure{kind: List, elem: fromCEL(t.Parameters()[0])})
	case celtypes.MapKind:
		return intern(structure{kind: Map, elem: fromCEL(t.Parameters()[1])})
	case celtypes.StructKind, celtypes.OpaqueKind, celtypes.TypeKind:
		if t.Kind() == celtypes.OpaqueKind && t.TypeName() == celtypes.OptionalType.TypeName() {
			return intern(structure{kind: Optional, elem: fromCEL(t.Parameters()[0])})
		}
		if object := objectNamed(t.TypeName()); object != nil {
			return object
		}
		return intern(structure{kind: Other, name: t.TypeName()})
	}
	return intern(structure{})
}
