package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	of "github.com/open-feature/go-sdk/openfeature"
)

// ofrepProvider evaluates flags over the OpenFeature remote evaluation protocol.
type ofrepProvider struct {
	base, token string
	http        *http.Client
}

func newProvider(base, token string) *ofrepProvider {
	return &ofrepProvider{base, token, &http.Client{Timeout: 30 * time.Second}}
}

type evaluation struct {
	Value     any            `json:"value"`
	Reason    string         `json:"reason"`
	Variant   string         `json:"variant"`
	Metadata  map[string]any `json:"metadata"`
	ErrorCode string         `json:"errorCode"`
	Details   string         `json:"errorDetails"`
}

func (p *ofrepProvider) Metadata() of.Metadata { return of.Metadata{Name: "ofrep"} }
func (p *ofrepProvider) Hooks() []of.Hook      { return nil }

// evaluate asks the server for one flag. A reply without an evaluation becomes a general error.
func (p *ofrepProvider) evaluate(ctx context.Context, flag string, given of.FlattenedContext) (evaluation, of.ProviderResolutionDetail) {
	body, _ := json.Marshal(map[string]any{"context": given})
	address := p.base + "/ofrep/v1/evaluate/flags/" + url.PathEscape(flag)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return evaluation{}, failure(of.NewGeneralResolutionError(err.Error()))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+p.token)
	reply, err := p.http.Do(request)
	if err != nil {
		return evaluation{}, failure(of.NewGeneralResolutionError(err.Error()))
	}
	defer reply.Body.Close()
	var found evaluation
	if err := json.NewDecoder(reply.Body).Decode(&found); err != nil {
		return found, failure(of.NewParseErrorResolutionError(err.Error()))
	}
	if reply.StatusCode == http.StatusNotFound {
		return found, failure(of.NewFlagNotFoundResolutionError(found.Details))
	}
	if reply.StatusCode != http.StatusOK {
		return found, failure(of.NewGeneralResolutionError(reply.Status + " " + found.ErrorCode))
	}
	return found, of.ProviderResolutionDetail{
		Reason: of.Reason(found.Reason), Variant: found.Variant, FlagMetadata: found.Metadata,
	}
}

func failure(err of.ResolutionError) of.ProviderResolutionDetail {
	return of.ProviderResolutionDetail{ResolutionError: err, Reason: of.ErrorReason}
}

// resolve returns the value of a flag, the default without a value, or a type mismatch.
func resolve[T any](p *ofrepProvider, ctx context.Context, flag string, fallback T, given of.FlattenedContext) (T, of.ProviderResolutionDetail) {
	found, detail := p.evaluate(ctx, flag, given)
	if detail.Error() != nil || found.Value == nil {
		return fallback, detail
	}
	value, ok := found.Value.(T)
	if !ok {
		return fallback, failure(of.NewTypeMismatchResolutionError("another type"))
	}
	return value, detail
}

func (p *ofrepProvider) BooleanEvaluation(ctx context.Context, flag string, fallback bool, given of.FlattenedContext) of.BoolResolutionDetail {
	value, detail := resolve(p, ctx, flag, fallback, given)
	return of.BoolResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}

func (p *ofrepProvider) StringEvaluation(ctx context.Context, flag string, fallback string, given of.FlattenedContext) of.StringResolutionDetail {
	value, detail := resolve(p, ctx, flag, fallback, given)
	return of.StringResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}

func (p *ofrepProvider) FloatEvaluation(ctx context.Context, flag string, fallback float64, given of.FlattenedContext) of.FloatResolutionDetail {
	value, detail := resolve(p, ctx, flag, fallback, given)
	return of.FloatResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}

func (p *ofrepProvider) IntEvaluation(ctx context.Context, flag string, fallback int64, given of.FlattenedContext) of.IntResolutionDetail {
	value, detail := resolve(p, ctx, flag, float64(fallback), given)
	return of.IntResolutionDetail{Value: int64(value), ProviderResolutionDetail: detail}
}

func (p *ofrepProvider) ObjectEvaluation(ctx context.Context, flag string, fallback any, given of.FlattenedContext) of.InterfaceResolutionDetail {
	value, detail := resolve[any](p, ctx, flag, fallback, given)
	return of.InterfaceResolutionDetail{Value: value, ProviderResolutionDetail: detail}
}
