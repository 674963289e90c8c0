package testflags

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"
)

func TestStartsWithoutOverrides(t *testing.T) {
	t.Parallel()
	expectVariants(t, Start(t, Overrides{}), map[string]string{})
}

func TestChangesFlags(t *testing.T) {
	t.Parallel()
	run := Start(t, Overrides{"new-checkout": true})
	expectVariants(t, run, map[string]string{"new-checkout": "disabled"})
	run.Set(t, Overrides{"new-checkout": nil, "button-color": Variant("red")})
	expectVariants(t, run, map[string]string{"button-color": "red"})
}

// expectVariants compares the variants of all flags that are on.
func expectVariants(t *testing.T, run *Run, expected map[string]string) {
	t.Helper()
	request, _ := http.NewRequest(http.MethodGet, run.URL+"/api/frontend", nil)
	request.Header.Set("Authorization", run.FrontendToken)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var body struct {
		Toggles []struct {
			Name    string
			Variant struct{ Name string }
		}
	}
	if err := json.NewDecoder(response.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	variants := map[string]string{}
	for _, toggle := range body.Toggles {
		variants[toggle.Name] = toggle.Variant.Name
	}
	if !reflect.DeepEqual(variants, expected) {
		t.Fatalf("expected %v, got %v", expected, variants)
	}
}
