package expr

import "fmt"

// Functions are the names of all functions and macros that expressions may use, sorted. References are generated
// from it.
func Functions() ([]string, error) {
	lib, err := sharedLibrary()
	if err != nil {
		return nil, fmt.Errorf("building the expression library: %w", err)
	}
	return lib.functionNames(), nil
}
