// Genopenapi writes the archive of built-in kinds that graph/schema embeds.
//
// It starts an API server with every group and version on, or reads a folder of documents as the Kubernetes module
// carries it under api/openapi-spec/v3, and keeps of each group and version what kinds need: the schemas that they
// reach, without text for people, and the paths of single objects. The same documents give the same bytes.
//
//	go run ./graph/schema/internal/genopenapi -out graph/schema/openapi.zip [-dir FOLDER] [-check]
package main
