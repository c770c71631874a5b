// Package convert turns kro's ResourceGraphDefinitions into ResourceGroups.
//
// The command `plait convert` calls it. It works on YAML nodes, so that comments and the order of fields stay, and it
// tells of everything that behaves differently in notes. It looks at no cluster and knows no schema: whether the kinds
// that a document uses exist is for `plait validate` to find out.
package convert
