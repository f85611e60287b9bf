package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// functionInput are the flags of what is handed to a function.
type functionInput struct {
	Params  string `short:"p" help:"Parameters, a JSON object. Default {}." placeholder:"JSON"`
	Session string `help:"Settings of the session that differ from the function's, a JSON object." placeholder:"JSON"`
}

// body is an invoke as the service takes it.
func (in functionInput) body() (map[string]json.RawMessage, error) {
	body := map[string]json.RawMessage{}
	for _, field := range []struct{ flag, name, text string }{{"--params", "params", in.Params}, {"--session", "sessionCreateParams", in.Session}} {
		if field.text == "" {
			continue
		}
		if !json.Valid([]byte(field.text)) {
			return nil, errtypes.Field(field.flag, `must be a JSON object such as {"url": "https://example.com"}`)
		}
		body[field.name] = json.RawMessage(field.text)
	}
	return body, nil
}

type invocationState struct {
	ID         string          `json:"id"`
	FunctionID string          `json:"functionId"`
	VersionID  string          `json:"versionId"`
	SessionID  string          `json:"sessionId"`
	Status     string          `json:"status"`
	Results    json.RawMessage `json:"results,omitempty"`
	Cause      *causeState     `json:"cause,omitempty"`
}

func (i invocationState) ended() bool { return i.Status == "COMPLETED" || i.Status == "FAILED" }

// invoke begins an invocation of the function.
func (a *apiClient) invoke(ctx context.Context, function string, in functionInput) (i invocationState, err error) {
	body, err := in.body()
	if err != nil {
		return i, err
	}
	f, err := a.function(ctx, function)
	if err != nil {
		return i, err
	}
	return i, a.call(ctx, "POST", "/v1/functions/"+f.ID+"/invoke", body, &i)
}

// watch prints what an invocation logs until it has ended.
func (a *apiClient) watch(ctx context.Context, id string, log io.Writer) (i invocationState, err error) {
	err = a.follow(ctx, "/v1/functions/invocations/"+id, log, func(ctx context.Context, path string) (bool, error) {
		err := a.call(ctx, "GET", path, nil, &i)
		return i.ended(), err
	})
	return i, err
}

// failure is the error of an invocation that has failed.
func (i invocationState) failure() error {
	switch {
	case i.Status != "FAILED":
		return nil
	case i.Cause == nil:
		return errors.New("the invocation has failed")
	}
	return fmt.Errorf("the invocation has failed: %s: %s", i.Cause.Code, strings.Map(printable, i.Cause.Message))
}

type functionsInvokeCmd struct {
	onPrograms
	functionInput
	Function string `arg:"" help:"Name or id of the function."`
	NoWait   bool   `help:"Print the invocation and do not wait for its end."`
}

// Run prints the log on standard error as it comes, and the result, so that this can
// be piped.
func (cmd functionsInvokeCmd) Run(ctx context.Context, c console) error {
	if cmd.NoWait && cmd.Data != "" {
		return errtypes.Field("--no-wait", "needs a service: with --data this process executes the invocation")
	}
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		i, err := api.invoke(ctx, cmd.Function, cmd.functionInput)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stderr, "Invocation %s, session %s\n", i.ID, i.SessionID)
		if cmd.NoWait {
			fmt.Fprintln(c.stdout, i.ID)
			return nil
		}
		if i, err = api.watch(ctx, i.ID, c.stderr); err != nil {
			return err
		}
		if cmd.JSON {
			return errors.Join(printValue(c.stdout, i), i.failure())
		}
		if err := i.failure(); err != nil {
			return err
		}
		return printJSON(c.stdout, i.Results)
	})
}

type functionsLogsCmd struct {
	onPrograms
	ID     string `arg:"" help:"Id of the invocation, which invoke prints, or of the build with --build."`
	Build  bool   `help:"It is the id of a build, which publish prints."`
	Follow bool   `short:"f" help:"Go on until it has ended."`
}

// Run prints the lines that there are, or all until the end.
func (cmd functionsLogsCmd) Run(ctx context.Context, c console) error {
	path := "/v1/functions/invocations/" + cmd.ID
	if cmd.Build {
		path = "/v1/functions/builds/" + cmd.ID
	}
	err := cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		return api.follow(ctx, path, c.stdout, func(ctx context.Context, path string) (bool, error) {
			if !cmd.Follow {
				return true, nil
			}
			var state struct{ Status string }
			err := api.call(ctx, "GET", path, nil, &state)
			return state.Status == "COMPLETED" || state.Status == "FAILED", err
		})
	})
	if refused, ok := errors.AsType[*answerError](err); ok && refused.status == http.StatusNotFound && !cmd.Build {
		err = fmt.Errorf("%w; --build prints the log of a build", err)
	}
	return err
}
