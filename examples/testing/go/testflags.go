// Package testflags starts a test run of Burgee for a Go test.
package testflags

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// Overrides are states of flags: true, false, Variant("name"), or nil to remove an override.
type Overrides map[string]any

// Variant turns a flag on with a variant.
func Variant(name string) any { return map[string]string{"variant": name} }

// Run contains the tokens of a test: one for server-side SDKs, and one for pages and OpenFeature.
type Run struct {
	ID            string `json:"id"`
	ClientToken   string `json:"clientToken"`
	FrontendToken string `json:"frontendToken"`
	URL           string `json:"-"`
}

// Start starts a run that ends with the test.
func Start(t *testing.T, overrides Overrides) *Run {
	t.Helper()
	run := &Run{URL: strings.TrimRight(os.Getenv("BURGEE_URL"), "/")}
	name := t.Name()
	if len(name) > 100 {
		name = name[:100]
	}
	body := map[string]any{"environment": "development", "overrides": overrides, "name": name, "minutes": 10}
	call(t, http.MethodPost, run.path(""), body, run)
	t.Cleanup(func() { call(t, http.MethodDelete, run.path("/"+run.ID), nil, nil) })
	return run
}

// Set changes overrides.
func (run *Run) Set(t *testing.T, overrides Overrides) {
	t.Helper()
	call(t, http.MethodPatch, run.path("/"+run.ID), map[string]any{"overrides": overrides}, nil)
}

func (run *Run) path(rest string) string {
	return run.URL + "/api/admin/projects/default/test-runs" + rest
}

func call(t *testing.T, method, url string, body, result any) {
	t.Helper()
	if err := send(method, url, body, result); err != nil {
		t.Fatal(err)
	}
}

func send(method, url string, body, result any) error {
	content, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		content = nil
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(content))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", os.Getenv("BURGEE_ADMIN_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s: %s", method, url, response.Status, text)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(text, result)
}
