// Renders a chart as `helm template` does, with the engine that it is built on: Go's own templates and Sprig.
//
//	render-chart <chart> <release> <values as YAML>
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := render(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart, release, given string) error {
	meta, values, own := map[string]interface{}{}, map[string]interface{}{}, map[string]interface{}{}
	for _, one := range []struct {
		text []byte
		into *map[string]interface{}
	}{{read(chart, "Chart.yaml"), &meta}, {read(chart, "values.yaml"), &values}, {[]byte(given), &own}} {
		if err := yaml.Unmarshal(one.text, one.into); err != nil {
			return err
		}
	}
	// fields of a chart are those of a Go struct: in capitals
	capitals := map[string]interface{}{}
	for name, value := range meta {
		capitals[strings.ToUpper(name[:1])+name[1:]] = value
	}
	root := map[string]interface{}{
		"Chart":   capitals,
		"Values":  merge(values, own),
		"Release": map[string]interface{}{"Name": release, "Namespace": "default", "Service": "Helm"},
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	files, _ := filepath.Glob(filepath.Join(chart, "templates", "*"))
	sort.Strings(files)
	for _, file := range files {
		if _, err := all.New(filepath.Base(file)).Parse(string(read(file))); err != nil {
			return err
		}
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, name, root); err != nil {
			return err
		}
		text := strings.ReplaceAll(out.String(), "<no value>", "")
		if name == "NOTES.txt" {
			fmt.Fprintln(os.Stderr, text)
		} else if strings.TrimSpace(text) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", name, text)
		}
	}
	return nil
}

// The functions that Helm adds to those of Sprig, as far as a chart may need them.
func functions(all *template.Template) template.FuncMap {
	more := sprig.TxtFuncMap()
	// charts may not read the environment
	delete(more, "env")
	delete(more, "expandenv")
	more["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	more["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	more["toJson"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	more["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	return more
}

// Values that somebody gives win; objects are merged, an explicit null removes.
func merge(base, over map[string]interface{}) map[string]interface{} {
	for name, value := range over {
		inner, isObject := value.(map[string]interface{})
		before, wasObject := base[name].(map[string]interface{})
		if value == nil {
			delete(base, name)
		} else if isObject && wasObject {
			base[name] = merge(before, inner)
		} else {
			base[name] = value
		}
	}
	return base
}

func read(parts ...string) []byte {
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return text
}
