package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/storage/projects"
)

// functionsCmd are about functions, of a running service or of the data of one that
// does not run.
type functionsCmd struct {
	Init    functionsInitCmd    `cmd:"" help:"Write an example that can be published."`
	Dev     functionsDevCmd     `cmd:"" help:"Publish a program whenever one of its files changes."`
	Publish functionsPublishCmd `cmd:"" help:"Publish a program, which makes a version of each of its functions."`
	Invoke  functionsInvokeCmd  `cmd:"" help:"Invoke a function and print its result."`
	Logs    functionsLogsCmd    `cmd:"" help:"Print what an invocation, or a build, has logged."`
	List    functionsListCmd    `cmd:"" help:"List the functions of a project, newest first."`
}

// place are the flags that say whether a service is asked, or data worked on.
type place struct {
	address
	Data    string `help:"Data directory to work on in the place of a service; this process executes what it asks for. Default none." placeholder:"DIR"`
	Project string `default:"default" help:"Project of --data, by name or id. Default ${default}."`
}

// onService are the flags of commands that ask a service, or do the same on data.
type onService struct {
	place
	JSON bool `name:"json" help:"Print JSON, for programs."`
}

// do calls a function with a client of the service, or of the data.
func (s place) do(ctx context.Context, c console, do func(context.Context, *apiClient) error, set ...func(*drover.Options)) (err error) {
	if s.Data == "" {
		api, err := s.client()
		if err != nil {
			return err
		}
		return do(ctx, api)
	}
	if s.Data != drover.InMemory {
		if err := (store{s.Data}).mustExist(); err != nil {
			return err
		}
	}
	log := slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	d, err := openTool(ctx, s.Data, network{}, log, set...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	project, err := d.Projects.Get(ctx, s.Project)
	if err != nil {
		return err
	}
	return do(ctx, inProcess(d, project))
}

// onPrograms are the flags of commands about functions and Actors, which are executed.
type onPrograms struct {
	onService
	programFlags
	AllowPrivateNetworks bool `help:"With --data: let pages reach private and loopback addresses."`
}

// do calls a function with a client of the service, or of the data, whose work this
// process does.
func (f onPrograms) do(ctx context.Context, c console, do func(context.Context, *apiClient) error) (err error) {
	return f.onService.do(ctx, c, do, func(o *drover.Options) {
		o.Workers = drover.WorkersWhenNeeded
		network{AllowPrivateNetworks: f.AllowPrivateNetworks}.apply(o)
		f.programFlags.apply(&o.Programs)
	})
}

// inProcess is a client of a service in this process, which acts for the project.
func inProcess(d *drover.Drover, project projects.Project) *apiClient {
	services := httpadapter.Services{Services: d.Services, Health: d.Health, Accepting: d.Accepting()}
	services.Projects = actingFor{d.Projects, project}
	handler := httpadapter.Handler(services, httpadapter.Options{Logger: slog.New(slog.DiscardHandler)})
	return &apiClient{base: "http://drover.invalid", key: "none", via: &http.Client{Transport: handled{handler}}}
}

// actingFor are projects of which every key is that of one.
type actingFor struct {
	projects.Service
	project projects.Project
}

func (a actingFor) As(ctx context.Context, _ string) (context.Context, error) {
	return projects.With(ctx, a.project), nil
}

type functionJSON struct {
	ID               string    `json:"id"`
	Name             string    `json:"name"`
	CurrentVersionID string    `json:"currentVersionId"`
	CreatedAt        time.Time `json:"createdAt"`
	UpdatedAt        time.Time `json:"updatedAt"`
}

// pageSize is how many functions are asked for at once.
const pageSize = 100

// functions lists all functions.
func (a *apiClient) functions(ctx context.Context) (all []functionJSON, err error) {
	all = []functionJSON{}
	for {
		var page struct {
			Data  []functionJSON
			Total int
		}
		query := url.Values{"offset": {strconv.Itoa(len(all))}, "limit": {strconv.Itoa(pageSize)}}
		if err := a.call(ctx, "GET", "/v1/functions?"+query.Encode(), nil, &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Data...); len(page.Data) == 0 || len(all) >= page.Total {
			return all, nil
		}
	}
}

// function finds a function by its name, else by its id.
func (a *apiClient) function(ctx context.Context, ref string) (functionJSON, error) {
	all, err := a.functions(ctx)
	if err != nil {
		return functionJSON{}, err
	}
	for _, same := range []func(functionJSON) bool{
		func(f functionJSON) bool { return f.Name == ref }, func(f functionJSON) bool { return f.ID == ref },
	} {
		for _, f := range all {
			if same(f) {
				return f, nil
			}
		}
	}
	return functionJSON{}, errtypes.New(errtypes.NotFound, "there is no function %q; \"drover functions list\" names those that there are", ref)
}

type functionsListCmd struct{ onPrograms }

// Run prints one line a function.
func (cmd functionsListCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		all, err := api.functions(ctx)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return printValue(c.stdout, all)
		}
		w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "NAME\tID\tVERSION\tUPDATED")
		for _, f := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", nameText(f.Name), f.ID, f.CurrentVersionID, zoned(f.UpdatedAt))
		}
		return w.Flush()
	})
}
