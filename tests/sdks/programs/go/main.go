// Prints the decisions of the official Go SDK for the flags and contexts of a file.
package main

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"time"

	unleash "github.com/Unleash/unleash-client-go/v4"
	"github.com/Unleash/unleash-client-go/v4/context"
)

type task struct {
	URLs     []string
	Token    string
	Folder   string
	Flags    []string
	Contexts []struct {
		UserId        string
		SessionId     string
		RemoteAddress string
		Properties    map[string]string
	}
}

func main() {
	bytes, err := os.ReadFile(os.Args[1])
	check(err)
	var given task
	check(json.Unmarshal(bytes, &given))
	answers := [][][][]any{}
	for _, url := range given.URLs {
		answers = append(answers, decide(given, url))
	}
	check(json.NewEncoder(os.Stdout).Encode(answers))
}

// Returns the decisions at one address: a line per context, with an entry per flag.
func decide(given task, url string) [][][]any {
	client, err := unleash.NewClient(
		unleash.WithListener(listener{}),
		unleash.WithAppName("go-service"),
		unleash.WithUrl(url),
		unleash.WithCustomHeaders(http.Header{"Authorization": {given.Token}}),
		unleash.WithBackupPath(given.Folder),
		unleash.WithDisableMetrics(true),
		unleash.WithRefreshInterval(time.Hour),
	)
	check(err)
	defer client.Close()
	client.WaitForReady()
	decisions := [][][]any{}
	for _, one := range given.Contexts {
		asked := context.Context{
			UserId: one.UserId, SessionId: one.SessionId,
			RemoteAddress: one.RemoteAddress, Properties: one.Properties,
		}
		line := [][]any{}
		for _, name := range given.Flags {
			variant := client.GetVariant(name, unleash.WithVariantContext(asked))
			on := client.IsEnabled(name, unleash.WithContext(asked))
			line = append(line, []any{on, variant.Name, variant.Payload.Value})
		}
		decisions = append(decisions, line)
	}
	return decisions
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Ends the program if the flags cannot be downloaded. An unknown operator is a decision, not a failure.
type listener struct{}

func (listener) OnError(err error) {
	if !strings.HasPrefix(err.Error(), "unknown constraint operator") {
		panic(err)
	}
}
func (listener) OnReady()                        {}
func (listener) OnWarning(error)                 {}
func (listener) OnCount(string, bool)            {}
func (listener) OnSent(unleash.MetricsData)      {}
func (listener) OnRegistered(unleash.ClientData) {}
