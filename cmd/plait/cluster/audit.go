package cluster

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// AuditEvent is one finished request, as much of it as the log holds.
type AuditEvent struct {
	Verb       string `json:"verb"`
	RequestURI string `json:"requestURI"`
	User       struct {
		Username string `json:"username"`
	} `json:"user"`
	// ImpersonatedUser is nil for a request that acts as nobody else.
	ImpersonatedUser *struct {
		Username string `json:"username"`
	} `json:"impersonatedUser"`
	UserAgent string `json:"userAgent"`
	// ObjectRef is nil for a request that is about no resource.
	ObjectRef *struct {
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
		APIGroup    string `json:"apiGroup"`
		APIVersion  string `json:"apiVersion"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	RequestReceivedTimestamp time.Time `json:"requestReceivedTimestamp"`
	StageTimestamp           time.Time `json:"stageTimestamp"`
}

// AuditLog returns the path of the file of all requests, one JSON document a
// line. It exists only with Config.Audit; a cluster that is continued goes on
// writing to it.
func (c *Cluster) AuditLog() string {
	return c.folder.in("audit.log")
}

// AuditEvents reads the requests that were finished since the offset given, and
// returns the offset for the next call; offset 0 is the beginning. A request whose
// client has the answer may still be missing for a moment when the answer is
// large.
func (c *Cluster) AuditEvents(offset int64) (events []AuditEvent, next int64, err error) {
	file, err := os.Open(c.AuditLog())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, offset, nil
	}
	if err != nil {
		return nil, offset, fmt.Errorf("reading the audit log: %w", err)
	}
	defer func() { _ = file.Close() }()
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, offset, fmt.Errorf("reading the audit log: %w", err)
	}
	return readAudit(bufio.NewReader(file), offset)
}

// readAudit reads whole lines; the last one may still be being written.
func readAudit(reader *bufio.Reader, offset int64) ([]AuditEvent, int64, error) {
	var events []AuditEvent
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return events, offset, nil
		}
		if err != nil {
			return events, offset, fmt.Errorf("reading the audit log: %w", err)
		}
		var event AuditEvent
		if err := json.Unmarshal(line, &event); err != nil {
			return events, offset, fmt.Errorf("reading the audit log at byte %d: %w", offset, err)
		}
		events = append(events, event)
		offset += int64(len(line))
	}
}
