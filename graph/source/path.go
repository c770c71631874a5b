package source

import "strconv"

// JoinKey gives the path of a key below path: spec.replicas, data["app.conf"]. A key with characters other
// than ASCII letters, digits, '-' and '_' is quoted.
func JoinKey(path, key string) string {
	if !isPlainKey(key) {
		return path + "[" + strconv.Quote(key) + "]"
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// JoinIndex gives the path of a list's element: spec.resources[2].
func JoinIndex(path string, index int) string {
	return path + "[" + strconv.Itoa(index) + "]"
}

func isPlainKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !isLetter && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return key != ""
}
