// Package console is a web page on this machine that shows what Plait does in a cluster.
//
// plait console runs it. It lists ResourceGroups, instances, Connections, bindings and Workspaces; an object is shown with
// its graph, its tree (package inspect), the causes of its not being ready (package explain), its events and its YAML. Pages
// are Go templates; a small script brings changes into a page that is open, which works without it too.
//
// It listens on loopback only, answers GET only, and only whoever knows the token of the printed URL: the token is exchanged
// for a cookie that no other site can send (guard.go). It reads with the kubeconfig of its user, writes nothing, and shows no
// value of a Secret (mask.go). Kinds of Plait's own and served kinds are watched, so that a page costs the API server little
// (store.go); what has changed is told to open pages (hub.go).
package console
