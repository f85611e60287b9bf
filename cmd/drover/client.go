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

// address are the flags that say which service is asked, and as whom.
type address struct {
	Server string `env:"DROVER_SERVER" default:"http://127.0.0.1:8080" help:"Address of the service, which \"drover serve\" runs. Default ${default}." placeholder:"URL"`
	Key    string `env:"DROVER_API_KEY" help:"API key of the project; \"drover keys create\" makes one. Processes of others see flags: a key is safer in the variable." placeholder:"KEY"`
}

// service are the flags of every command that asks a running service.
type service struct {
	address
	JSON bool `name:"json" help:"Print JSON, for programs."`
}

// client returns a client of the service.
func (s address) client() (*apiClient, error) {
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
	resp, err := a.exchange(ctx, method, path, kind, payload)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return decodeAnswer(resp, answer)
}

// exchange sends a body, if any, and returns the answer, whatever its status, to read
// and close.
func (a *apiClient) exchange(ctx context.Context, method, path, kind string, payload io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, payload)
	if err != nil {
		return nil, err
	}
	a.authorize(req)
	if payload != nil {
		req.Header.Set("Content-Type", kind)
	}
	resp, err := cmp.Or(a.via, caller).Do(req)
	if err != nil {
		return nil, a.unreached(ctx, err)
	}
	return resp, nil
}

// authorize gives a request the key, as its interface takes it.
func (a *apiClient) authorize(req *http.Request) {
	if strings.HasPrefix(req.URL.Path, "/v2/") {
		req.Header.Set("Authorization", "Bearer "+a.key)
		req.Header.Set("X-Apify-Request-Origin", "CLI")
		return
	}
	req.Header.Set("X-SVC-API-Key", a.key)
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
	// kind is the type of the error, which only the job platform names.
	kind, text string
	// item is the first of the items that were refused, from 1; 0 for none.
	item int
}

func (e *answerError) Error() string { return e.text }

// refusal is the error that an answer stands for; nil for a good one.
func refusal(resp *http.Response) error {
	if resp.StatusCode < 300 {
		return nil
	}
	const most = 1 << 20
	raw, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err != nil {
		return err
	}
	refused := refusedAs(raw)
	if resp.StatusCode == http.StatusUnauthorized {
		refused.text += fmt.Sprintf("; set %s, or give --key: \"drover keys create\" makes a key", keyVariable)
	}
	refused.status, refused.text = resp.StatusCode, fmt.Sprintf("%s: %s", resp.Status, strings.Map(printable, refused.text))
	return refused
}

// refusedAs reads the body of an error.
func refusedAs(raw []byte) *answerError {
	var problem struct {
		Message string
		Error   json.RawMessage // an object of the job platform, a text elsewhere
	}
	var of struct {
		Type, Message string
		Data          struct{ InvalidItems []invalidItem }
	}
	if json.Unmarshal(raw, &problem) == nil {
		_ = json.Unmarshal(problem.Error, &of)
	}
	e := &answerError{kind: of.Type, text: cmp.Or(of.Message, problem.Message, "it is no service of Drover")}
	if all := of.Data.InvalidItems; len(all) > 0 {
		e.item, e.text = all[0].ItemPosition+1, e.text+all[0].text()
	}
	return e
}

// invalidItem is one that does not fit the schema of its dataset.
type invalidItem struct {
	ItemPosition     int
	ValidationErrors []struct{ InstancePath, Message string }
}

func (i invalidItem) text() (all string) {
	for _, e := range i.ValidationErrors {
		all += ": " + strings.TrimSpace(e.InstancePath+" "+e.Message)
	}
	return all
}

func decodeAnswer(resp *http.Response, answer any) error {
	if err := refusal(resp); err != nil {
		return err
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil || answer == nil {
		return err
	}
	if err := json.Unmarshal(raw, answer); err != nil {
		return fmt.Errorf("the answer cannot be read, so it is no service of Drover: %w", err)
	}
	return nil
}
