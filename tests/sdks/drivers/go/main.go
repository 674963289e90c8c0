// Drives the OpenFeature SDK over OFREP: reads commands as lines of JSON, and answers each with a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"

	of "github.com/open-feature/go-sdk/openfeature"
)

type command struct {
	Do, Client, URL, Token, Flag string
	Flags                        []string
	Times                        int
	Context                      map[string]any
	Contexts                     []map[string]any
}

var clients = map[string]*of.Client{}

func main() {
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 16<<20)
	output := json.NewEncoder(os.Stdout)
	for input.Scan() {
		var given command
		answer, err := map[string]any{}, json.Unmarshal(input.Bytes(), &given)
		if err == nil {
			answer, err = carryOut(given)
		}
		if err != nil {
			answer = map[string]any{"error": err.Error()}
		}
		_ = output.Encode(answer)
	}
}

func carryOut(given command) (map[string]any, error) {
	switch given.Do {
	case "start":
		if err := of.SetNamedProviderAndWait(given.Client, newProvider(given.URL, given.Token)); err != nil {
			return nil, err
		}
		clients[given.Client] = of.NewClient(given.Client)
		return map[string]any{}, nil
	case "decide":
		return decide(given)
	case "ask":
		return ask(given)
	case "stop":
		delete(clients, given.Client)
		return map[string]any{}, nil
	}
	return nil, errors.New("unknown command")
}

// decide returns a line per context, with on or off and variant per flag.
func decide(given command) (map[string]any, error) {
	client := clients[given.Client]
	lines := [][][]any{}
	for _, fields := range given.Contexts {
		line := [][]any{}
		for _, flag := range given.Flags {
			details, err := client.ObjectValueDetails(context.Background(), flag, nil, toContext(fields))
			if err != nil && details.ErrorCode != of.FlagNotFoundCode {
				return nil, err
			}
			isEnabled, _ := details.FlagMetadata.GetBool("enabled")
			line = append(line, []any{isEnabled, details.Variant})
		}
		lines = append(lines, line)
	}
	return map[string]any{"decisions": lines}, nil
}

// ask evaluates one flag a number of times and returns the last answer.
func ask(given command) (map[string]any, error) {
	isEnabled := false
	for range given.Times {
		// an error gives the default, as in an application
		isEnabled, _ = clients[given.Client].BooleanValue(context.Background(), given.Flag, false, toContext(given.Context))
	}
	return map[string]any{"isEnabled": isEnabled}, nil
}

func toContext(fields map[string]any) of.EvaluationContext {
	attributes := map[string]any{}
	if properties, ok := fields["properties"].(map[string]any); ok {
		for name, value := range properties {
			attributes[name] = value
		}
	}
	for name, value := range fields {
		if name != "properties" && name != "userId" {
			attributes[name] = value
		}
	}
	user, _ := fields["userId"].(string)
	return of.NewEvaluationContext(user, attributes)
}
