package policy

// All gives every policy with its binding, in the order in which they are applied. With required a group that names no
// service account at all is refused.
func All(required bool) []any {
	return []any{New(required), Binding()}
}
