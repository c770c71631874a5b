// Package discovery knows what a live cluster serves: resources and scopes of kinds, and their schemas.
//
// The compiler asks it through schema.Resolver, writers ask it for resources and scopes. The kinds come from aggregated
// discovery; the schema of a kind that a CustomResourceDefinition defines from that definition, since OpenAPI lags
// behind it, and all others from the OpenAPI v3 document of their group and version.
//
// It keeps what it has read, and reads again when a definition has changed (a watch of their metadata tells), when a
// kind is unknown and the last reading is some seconds old, and for OpenAPI after some minutes if the document's
// hash changed. What is not installed is told apart from what cannot be told now. It never writes.
package discovery
