package install_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/plait-run/plait/test/world"
)

// stored is an object as etcd has it: JSON for kinds that definitions serve, else the bytes of its protobuf.
type stored struct {
	Key   string          `json:"key"`
	JSON  json.RawMessage `json:"json,omitempty"`
	Bytes []byte          `json:"bytes,omitempty"`
}

// store is the etcd of a world, by its gateway of JSON.
type store struct {
	client *http.Client
	url    string
}

func storeOf(w *world.World) (store, error) {
	client, url, err := w.Store()
	return store{client, url}, err
}

// get reads an object as it is stored.
func (s store) get(ctx context.Context, key string) (stored, error) {
	var answer struct {
		KVs []struct{ Value []byte }
	}
	if err := s.call(ctx, "range", map[string]any{"key": []byte(key)}, &answer); err != nil {
		return stored{}, err
	}
	if len(answer.KVs) != 1 {
		return stored{}, fmt.Errorf("reading %q: there are %d", key, len(answer.KVs))
	}
	value := answer.KVs[0].Value
	if json.Valid(value) {
		return stored{Key: key, JSON: value}, nil
	}
	return stored{Key: key, Bytes: value}, nil
}

// put writes an object as it was stored.
func (s store) put(ctx context.Context, o stored) error {
	value := o.Bytes
	if o.JSON != nil {
		var compact bytes.Buffer
		if err := json.Compact(&compact, o.JSON); err != nil {
			return fmt.Errorf("writing %q: %w", o.Key, err)
		}
		value = compact.Bytes()
	}
	return s.call(ctx, "put", map[string]any{"key": []byte(o.Key), "value": value}, nil)
}

func (s store) call(ctx context.Context, what string, body map[string]any, answer any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/v3/kv/"+what, bytes.NewReader(data))
	if err != nil {
		return err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("asking etcd: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("asking etcd: %s: %s, %w", response.Status, strings.TrimSpace(string(text)), err)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
