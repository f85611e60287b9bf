package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage/projects"
)

type demoCmd struct {
	Model   string `env:"DROVER_MODEL" help:"Language model that does the task, as for run. Default: one of the provider whose key is in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY), or else plain, which needs none." placeholder:"MODEL"`
	Picture string `help:"File for the picture of the last page. Default a new one in the directory for temporary files." placeholder:"FILE"`
}

// offer is the shape of the demo's result.
type offer struct {
	Name         string  `json:"name" jsonschema:"the product's name"`
	SKU          string  `json:"sku"`
	Price        float64 `json:"price" jsonschema:"in euros"`
	Availability string  `json:"availability"`
	Weight       string  `json:"weight"`
}

// plainTask is written as plain steps, so that it needs no language model.
const plainTask = `Go to %s/login
Type "` + demosite.Email + `" into "Email"
Type %%password%% into "Password"
Click "Sign in"
Click "Lamps"
Click "Details" in the row "Harbour desk lamp"
Click "Data sheet"
Return the product`

// freeTask is the same for a language model.
const freeTask = `Sign in to the shop at %s as ` + demosite.Email + ` with the password %%password%%.
Filter the catalogue by lamps and open the details of the Harbour desk lamp: they come in a new tab.
Download the data sheet there, and return what the page says of the product.`

// Run shows the main job from end to end, over HTTP, on a fresh database.
func (cmd demoCmd) Run(ctx context.Context, c console) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	site, closeSite, err := serveOnFreePort(demosite.New())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeSite()) }()
	demo, err := startDemo(ctx, cmd.model(), c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, demo.close()) }()
	fmt.Fprintf(c.stdout, "A shop is at %s, Drover at %s\n\n", site, demo.api.base)
	session, err := demo.run(ctx, site)
	if err != nil {
		return err
	}
	picture, err := demo.picture(ctx, session, cmd.Picture)
	if err != nil {
		return err
	}
	if err := demo.files(ctx, session); err != nil {
		return err
	}
	if err := demo.markdown(ctx, site); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "\nA picture of the page that the agent ended at: %s\n", picture)
	return nil
}

// demoModels are asked where only the key of their provider is there.
var demoModels = map[string]string{"openai": "gpt-5.6", "anthropic": "claude-sonnet-5", "gemini": "gemini-3-flash"}

// model is the name of the one that does the task.
func (cmd demoCmd) model() string {
	if cmd.Model != "" {
		return strings.Split(cmd.Model, ",")[0]
	}
	for _, p := range providers {
		if _, key := p.key(); key != "" && demoModels[p.name] != "" {
			return p.name + ":" + demoModels[p.name]
		}
	}
	return plainModel
}

// demo is a Drover that is served, and a shop beside it.
type demo struct {
	console
	model  string
	drover *drover.Drover
	api    *apiClient
	close  func() error
}

// startDemo opens Drover in a fresh directory and serves it on a free port of
// loopback. Only the shop's network is opened to the agent.
func startDemo(ctx context.Context, name string, c console) (*demo, error) {
	m, _, err := openModel(name)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "drover-demo-")
	if err != nil {
		return nil, err
	}
	log := slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	d, err := drover.Open(ctx, drover.Options{
		Data: dir, Logger: log, RequireProject: true, AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Models: map[string]runs.ModelConfig{name: {Model: m}}, DefaultModel: name,
	})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	closeData := func() error { return errors.Join(d.Close(), os.RemoveAll(dir)) }
	_, key, err := d.Projects.CreateKey(ctx, projects.Default, "demo")
	if err != nil {
		return nil, errors.Join(err, closeData())
	}
	base, closeServer, err := serveOnFreePort(httpadapter.New(d, httpadapter.Options{Logger: log}))
	if err != nil {
		return nil, errors.Join(err, closeData())
	}
	return &demo{c, name, d, &apiClient{base: base, key: key}, func() error { return errors.Join(closeServer(), closeData()) }}, nil
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

// run creates an agent and a run of it, shows the run as it works, and returns the
// session that it leaves open.
func (d *demo) run(ctx context.Context, site string) (session string, err error) {
	var agent struct{ AgentID string }
	err = d.api.call(ctx, "POST", "/v1/agents", map[string]any{
		"name": "Price reader", "resultSchema": drover.SchemaFor[offer](),
	}, &agent)
	if err != nil {
		return "", err
	}
	task := fmt.Sprintf(freeTask, site)
	if d.model == plainModel {
		task = fmt.Sprintf(plainTask, site)
	}
	fmt.Fprintf(d.stdout, "Agent %s does this task with the model %s:\n\n%s\n\n", agent.AgentID, d.model, task)
	var run demoRunState
	err = d.api.call(ctx, "POST", "/v1/agents/runs", map[string]any{
		"agentId": agent.AgentID, "task": task, "keepSession": true,
		"variables": map[string]any{"password": map[string]string{"value": demosite.Password}},
	}, &run)
	if err != nil {
		return "", err
	}
	if run, err = watch(ctx, d.console, d.api, run.RunID); err != nil {
		return "", err
	}
	if run.Status != "COMPLETED" {
		return "", fmt.Errorf("the run is %s: %s: %s", run.Status, run.Cause.Code, run.Cause.Message)
	}
	fmt.Fprintf(d.stdout, "\nThe result, validated against the agent's schema:\n\n")
	return run.SessionID, printJSON(d.stdout, run.Result)
}

// files shows what the run has downloaded.
func (d *demo) files(ctx context.Context, session string) error {
	var got struct {
		Downloads []struct {
			ID, Filename string
			Size         int64
		}
	}
	if err := d.api.call(ctx, "GET", "/v1/downloads?sessionId="+session, nil, &got); err != nil {
		return err
	}
	if len(got.Downloads) == 0 {
		return errors.New("the run has downloaded nothing")
	}
	fmt.Fprintf(d.stdout, "\nIt has downloaded:\n\n")
	for _, f := range got.Downloads {
		fmt.Fprintf(d.stdout, "  %s, %d bytes: GET /v1/downloads/%s\n", f.Filename, f.Size, f.ID)
	}
	return nil
}

func (d *demo) markdown(ctx context.Context, site string) error {
	var page struct{ Content string }
	url := site + "/products/tidal-floor-lamp"
	err := d.api.call(ctx, "POST", "/v1/fetch", map[string]any{"url": url, "format": "markdown"}, &page)
	if err != nil {
		return err
	}
	fmt.Fprintf(d.stdout, "\n%s as markdown:\n\n%s\n", url, page.Content)
	return nil
}

// picture takes one of the page that the run has ended at, ends its session, with
// which its downloads are complete, and returns the name of the file.
func (d *demo) picture(ctx context.Context, session, file string) (string, error) {
	p, err := d.drover.Projects.Get(ctx, projects.Default)
	if err != nil {
		return "", err
	}
	ctx = projects.With(ctx, p)
	tab, err := d.drover.Sessions.Join(ctx, p.ID, session, sessions.Join{})
	if err != nil {
		return "", err
	}
	png, err := tab.Screenshot(ctx, browser.ScreenshotOptions{})
	if err != nil {
		return "", err
	}
	if _, err := d.drover.Sessions.Release(ctx, session); err != nil {
		return "", err
	}
	return writePicture(file, png)
}

// writePicture returns the name of the file: a new one for none.
func writePicture(file string, png []byte) (string, error) {
	if file != "" {
		return file, os.WriteFile(file, png, 0o600)
	}
	f, err := os.CreateTemp("", "drover-picture-*.png")
	if err != nil {
		return "", err
	}
	_, err = f.Write(png)
	return f.Name(), errors.Join(err, f.Close())
}

// demoRunState is the part of a run that the demo shows.
type demoRunState struct {
	RunID     string
	SessionID string
	Status    string
	Result    json.RawMessage
	Cause     struct{ Code, Message string }
}
