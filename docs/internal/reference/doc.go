// Command reference writes the pages of docs/reference out of what the program itself knows: the codes of diagnostics
// with their explanations, the functions of expressions with examples, and the flags of the engine.
//
// `make generate` runs it, and `make verify` runs it with -check.
package main
