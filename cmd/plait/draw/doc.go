// Package draw shows compiled graphs: as text, as JSON, for Graphviz and Mermaid, and as a picture.
//
// `plait graph` calls it. Each function takes a graph and gives a whole document; equal graphs give equal
// bytes. The SVG has its own layered layout, in steps: which cards belong together (components.go), in which
// column each stands (layers.go), in which order (cross.go), how high (coordinates.go, straighten.go), where the
// parts of the picture go (pack.go) and which way the edges take (route.go). All lengths are whole pixels, so that
// no rounding differs between machines.
//
// It knows nothing but the graph, does no I/O, and what people wrote never leaves the place of a text.
package draw
