// Package managedfields reads who wrote what of a live object: its metadata.managedFields.
//
// Whoever keeps objects as they should be asks it whether a field that was applied is still the applier's: a field that
// somebody else has changed is not. Values are never compared, so that defaults and other spellings are no difference.
// It is pure.
package managedfields
