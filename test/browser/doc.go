// Package browser tries the web page of `plait console` in Chromium, on a real cluster. It is a module of its own, since a
// browser is more than the other tests need: `make browser` runs it where chromium is installed, and leaves pictures of the
// pages in the folder that it names.
package browser
