package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// service are the flags of every command that asks a running service.
type service struct {
	Server string `env:"DROVER_SERVER" default:"http://127.0.0.1:8080" help:"Address of the service, which \"drover serve\" runs. Default ${default}." placeholder:"URL"`
	Key    string `env:"DROVER_API_KEY" help:"API key of the project; \"drover keys create\" makes one. Processes of others see flags: a key is safer in the variable." placeholder:"KEY"`
	JSON   bool   `name:"json" help:"Print JSON, for programs."`
}

// client returns a client of the service.
func (s service) client() (*apiClient, error) {
	u, err := url.Parse(s.Server)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, errtypes.Field("--server", "must be an http or https URL such as http://127.0.0.1:8080")
	}
	if s.Key == "" {
		return nil, errtypes.New(errtypes.Unauthenticated, "an API key is required: set %s, or give --key; \"drover keys create\" makes one", keyVariable)
	}
	return &apiClient{base: strings.TrimSuffix(s.Server, "/"), key: s.Key}, nil
}

// apiClient is a client of the HTTP interface.
type apiClient struct {
	base, key string
	// via sends the requests. Default caller.
	via *http.Client
}

// caller goes no way that an answer says: the key is for one service.
var caller = &http.Client{
	Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// call sends a JSON body, if any, and decodes the answer; nil for one without a body.
func (a *apiClient) call(ctx context.Context, method, path string, body, answer any) error {
	var payload io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = bytes.NewReader(raw)
	}
	return a.send(ctx, method, path, "application/json", payload, answer)
}

// send sends a body, if any, and decodes the answer.
func (a *apiClient) send(ctx context.Context, method, path, kind string, payload io.Reader, answer any) error {
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, payload)
	if err != nil {
		return err
	}
	req.Header.Set("X-SVC-API-Key", a.key)
	if payload != nil {
		req.Header.Set("Content-Type", kind)
	}
	resp, err := cmp.Or(a.via, caller).Do(req)
	if err != nil {
		return a.unreached(ctx, err)
	}
	defer resp.Body.Close()
	return decodeAnswer(resp, answer)
}

// unreached says what to do about a service that does not answer.
func (a *apiClient) unreached(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err
	}
	return fmt.Errorf("no service answers at %s (%w); \"drover serve\" starts one, --server or DROVER_SERVER names another", a.base, err)
}

// answerError is an answer of the service that refuses what was asked.
type answerError struct {
	status int
	text   string
}

func (e *answerError) Error() string { return e.text }

func decodeAnswer(resp *http.Response, answer any) error {
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		var problem struct{ Message string }
		if json.Unmarshal(raw, &problem) != nil || problem.Message == "" {
			problem.Message = "it is no service of Drover"
		}
		return &answerError{resp.StatusCode, fmt.Sprintf("%s: %s", resp.Status, strings.Map(printable, problem.Message))}
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return fmt.Errorf("the answer cannot be read, so it is no service of Drover: %w", err)
	}
	return nil
}
