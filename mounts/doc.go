// Package mounts keeps Workspaces true to the objects that implement them.
//
// cmd/plait/engine makes a Controller and gives it what it reads with: discovery, informers, the live copies of the kinds
// that graphs serve. It has two queues: events of mount objects become names of Workspaces through an index, and the second
// loop brings each Workspace to what Decide, a pure function, says of it.
//
// It promises that a Workspace never says Ready before it has its URL, nor keeps saying so when its mount object does not;
// that nothing is written where nothing differs; that what cannot be told now changes nothing (I10); and that no object is
// read for a Workspace whose owner may not read it. It never writes mount objects, and decides nothing by their marks.
package mounts
