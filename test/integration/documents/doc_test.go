// Package documents_test does what README.md and the pages of docs tell their reader to do, with a real kubectl, and holds what
// the reader sees to what the page shows. Every block of every page is accounted for: a new one fails TestEveryBlock until it
// is run, or listed with the reason why it is not.
package documents_test
