// Package emptied finds the maps that an apply would empty, and takes them out of the body.
//
// An API server makes null of a map of a custom resource whose last key an apply takes away and leaves empty: where the
// schema is strict it refuses that itself, else it stores the null. Leaving the map out takes it away well. So whoever
// applies custom resources writes such a body in two: without the maps that become empty, and then whole. Both writers of
// the engine ask here. It is pure.
package emptied
