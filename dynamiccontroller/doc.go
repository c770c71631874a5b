// Package dynamiccontroller is the engine: it serves kinds that come and go.
package dynamiccontroller
