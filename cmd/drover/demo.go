package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/storage/projects"
)

type demoCmd struct{}

// offer is the shape of the demo's result.
type offer struct {
	Name         string  `json:"name" jsonschema:"the product's name"`
	SKU          string  `json:"sku"`
	Price        float64 `json:"price" jsonschema:"in euros"`
	Availability string  `json:"availability"`
	Weight       string  `json:"weight"`
}

// demoTask is written as plain steps, so that it needs no language model.
const demoTask = `Go to %s/login
Type "` + demosite.Email + `" into "Email"
Type %%password%% into "Password"
Click "Sign in"
Click "Lamps"
Click "Harbour desk lamp"
Return the product`

// Run shows the main job from end to end, over HTTP, on a fresh database.
func (demoCmd) Run(ctx context.Context, c console) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	site, closeSite, err := serveOnFreePort(demosite.New())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeSite()) }()
	api, closeAPI, err := startDemoService(ctx, c.stderr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAPI()) }()
	fmt.Fprintf(c.stdout, "A shop is at %s, Drover at %s\n\n", site, api.base)
	if err := demoRun(ctx, c, api, site); err != nil {
		return err
	}
	return demoMarkdown(ctx, c, api, site)
}

// startDemoService opens Drover in a fresh directory and serves it on a free
// port of loopback. Only the shop's network is opened to the agent.
func startDemoService(ctx context.Context, logs io.Writer) (*apiClient, func() error, error) {
	dir, err := os.MkdirTemp("", "drover-demo-")
	if err != nil {
		return nil, nil, err
	}
	log := slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelError}))
	d, err := drover.Open(ctx, drover.Options{
		Data: dir, Logger: log, RequireProject: true, AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
	})
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	closeData := func() error { return errors.Join(d.Close(), os.RemoveAll(dir)) }
	_, key, err := d.Projects.CreateKey(ctx, projects.Default, "demo")
	if err != nil {
		return nil, nil, errors.Join(err, closeData())
	}
	base, closeServer, err := serveOnFreePort(httpadapter.New(d, httpadapter.Options{Logger: log}))
	if err != nil {
		return nil, nil, errors.Join(err, closeData())
	}
	return &apiClient{base: base, key: key}, func() error { return errors.Join(closeServer(), closeData()) }, nil
}

func serveOnFreePort(h http.Handler) (base string, closer func() error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return baseURL(listener.Addr()), func() error {
		err := server.Close()
		<-ended
		return err
	}, nil
}

// demoRun creates an agent and a run of it, and shows the run as it works.
func demoRun(ctx context.Context, c console, api *apiClient, site string) error {
	var agent struct{ AgentID string }
	err := api.call(ctx, "POST", "/v1/agents", map[string]any{
		"name": "Price reader", "resultSchema": drover.SchemaFor[offer](),
	}, &agent)
	if err != nil {
		return err
	}
	task := fmt.Sprintf(demoTask, site)
	fmt.Fprintf(c.stdout, "Agent %s does this task:\n\n%s\n\n", agent.AgentID, task)
	var run demoRunState
	err = api.call(ctx, "POST", "/v1/agents/runs", map[string]any{
		"agentId": agent.AgentID, "task": task,
		"variables": map[string]any{"password": map[string]string{"value": demosite.Password}},
	}, &run)
	if err != nil {
		return err
	}
	if run, err = watch(ctx, c, api, run.RunID); err != nil {
		return err
	}
	if run.Status != "COMPLETED" {
		return fmt.Errorf("the run is %s: %s: %s", run.Status, run.Cause.Code, run.Cause.Message)
	}
	fmt.Fprintf(c.stdout, "\nThe result, validated against the agent's schema:\n\n")
	return printJSON(c.stdout, run.Result)
}

func demoMarkdown(ctx context.Context, c console, api *apiClient, site string) error {
	var page struct{ Content string }
	url := site + "/products/tidal-floor-lamp"
	err := api.call(ctx, "POST", "/v1/fetch", map[string]any{"url": url, "format": "markdown"}, &page)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "\n%s as markdown:\n\n%s\n", url, page.Content)
	return nil
}

// demoRunState is the part of a run that the demo shows.
type demoRunState struct {
	RunID  string
	Status string
	Result json.RawMessage
	Cause  struct{ Code, Message string }
}
