// Package front_test looks at a real cluster through what people use: tree, explain, diff and the console.
package front_test
