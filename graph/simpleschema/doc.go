// Package simpleschema turns the schema language of ResourceGroups into structural JSON schemas.
//
// The language is a map from field name to a type string (`integer | default=3 minimum=1`) or to a nested
// map, with named types. The compiler calls Build once for a group. Every fault is a diagnostic at its field,
// one for each field, and what is given is a structural schema in any case: a faulty marker is left out, and a
// type that is not known takes anything. Rules of validation are carried over and not compiled; graph/crd
// does that with the whole CustomResourceDefinition.
package simpleschema
