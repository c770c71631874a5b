// Package crd makes, checks and compares CustomResourceDefinitions.
//
// The compiler calls Build for the API that a ResourceGroup serves; the commands call ValidateInstance to do
// with an instance what the API server would; the reconcilers of groups and connections call Compare before
// they replace a definition. All checking is apiextensions' own code, and what it says is led back to the
// place in the document. It does no I/O, and changes nothing that it is given.
package crd
