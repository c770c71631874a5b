// Command reference writes the pages of docs/reference out of what the program itself knows: the codes of diagnostics
// with their explanations, the functions of expressions with examples, the flags of the engine, the fields of its kinds, and
// their conditions and reasons.
//
// `make generate` runs it, and `make verify` runs it with -check.
package main
