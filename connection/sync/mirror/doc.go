// Package mirror is what a copy is: what of a consumer's object goes to the provider, what comes back, whose an object
// with a copy's name is, and which namespace it lives in.
//
// The syncer asks it about every object that it looks at, and acts by the answers. It is pure, and trusts nothing that it
// reads of a provider's object but what the API server itself vouches for: names, UIDs and managers. It promises that
// neither marks nor ownership can be faked by the labels and annotations that users carry up.
package mirror
