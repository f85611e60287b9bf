package drover_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/storage/projects"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

func Example() {
	site := httptest.NewServer(demosite.New())
	defer site.Close()
	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, AllowPrefixes: loopback})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	page, err := d.Fetch.Get(ctx, site.URL+"/products/post-rack", fetch.Options{Format: fetch.Markdown})
	if err != nil {
		log.Fatal(err)
	}
	_, text, _ := strings.Cut(page.Content, "# ")
	fmt.Println(strings.SplitN(text, "\n", 2)[0])
	// Output: Post rack
}

func ExampleSchemaFor() {
	type order struct {
		Number string  `json:"number"`
		Total  float64 `json:"total,omitempty" jsonschema:"in euros"`
	}
	fmt.Println(strings.Contains(string(drover.SchemaFor[order]()), `"in euros"`))
	// Output: true
}

func TestSchemaForPanicsWhereThereIsNoSchema(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("a channel has a schema")
		}
	}()
	drover.SchemaFor[chan int]()
}

func TestEverythingIsKeptInADirectoryAndNothingInMemory(t *testing.T) {
	t.Parallel()
	for data, kept := range map[string]int{drover.InMemory: 0, t.TempDir(): 1} {
		for turn := range 2 {
			d, err := drover.Open(t.Context(), drover.Options{Data: data})
			if err != nil {
				t.Fatal(err)
			}
			page, err := d.Agents.List(t.Context(), agents.Filter{})
			if err != nil || len(page.Agents) != kept*turn {
				t.Errorf("%s: %d agents at turn %d, %v", data, len(page.Agents), turn, err)
			}
			if _, err := d.Agents.Create(t.Context(), agents.Create{Name: "a"}); err != nil {
				t.Error(err)
			}
			if err := errors.Join(d.Health(t.Context()), d.Accepting().Err(), d.Close(), d.Close()); err != nil {
				t.Error(err)
			}
			if d.Accepting().Err() == nil {
				t.Error("it accepts after Close")
			}
			if err := d.Health(t.Context()); !errtypes.Is(err, errtypes.Unavailable) {
				t.Errorf("after Close: %v", err)
			}
		}
	}
}

func TestRequiredProject(t *testing.T) {
	t.Parallel()
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory, RequireProject: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Agents.List(t.Context(), agents.Filter{}); !errtypes.Is(err, errtypes.Unauthenticated) {
		t.Errorf("%v", err)
	}
	ctx, err := d.Projects.In(t.Context(), projects.Default)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Agents.List(ctx, agents.Filter{}); err != nil {
		t.Error(err)
	}
}

func TestToolsLeaveWorkToOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tool, err := drover.Open(t.Context(), drover.Options{Data: dir, Workers: drover.WorkersNever})
	if err != nil {
		t.Fatal(err)
	}
	run, err := tool.Runs.Create(t.Context(), runs.Create{Task: "judge the mood of the page"})
	if err != nil {
		t.Fatal(err)
	}
	if err := tool.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := drover.Open(t.Context(), drover.Options{Data: dir}) // work waits: the workers start
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if run, err = d.Runs.Wait(t.Context(), run.ID); err != nil || run.Status != runs.Failed || run.Cause.Code != runs.CauseModel {
		t.Errorf("%s %+v, %v", run.Status, run.Cause, err)
	}
}

func TestOpenSaysWhatIsWrongAndLeavesNothingOpen(t *testing.T) {
	t.Parallel()
	if _, err := drover.Open(t.Context(), drover.Options{Data: "/dev/null/x"}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("%v", err)
	}
	bad := drover.Options{Data: drover.InMemory, AllowPrefixes: []netip.Prefix{{}}}
	if _, err := drover.Open(t.Context(), bad); err == nil {
		t.Error("an invalid prefix is taken")
	}
	if len(egress.PrivatePrefixes()) == 0 {
		t.Error("no private prefixes")
	}
}

func TestProxiesAreConfiguredOnceForAll(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(demosite.New())
	defer site.Close()
	proxy := egresstest.Start(t, "http", "me", "right")
	d, err := drover.Open(t.Context(), drover.Options{Data: drover.InMemory, AllowPrefixes: loopback, Proxies: []string{proxy.URL}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	page, err := d.Fetch.Get(t.Context(), site.URL, fetch.Options{Proxies: true})
	if err != nil || page.StatusCode != 200 || len(proxy.Asked()) != 1 {
		t.Errorf("%v, asked %q", err, proxy.Asked())
	}
	for field, o := range map[string]drover.Options{
		"Options.Proxies[1]":    {Proxies: []string{proxy.URL, "ftp://me:s3cr3t@h"}},
		"Options.BlockHosts[0]": {BlockHosts: []string{"http://x"}},
	} {
		o.Data = drover.InMemory
		_, err := drover.Open(t.Context(), o)
		if pub := errtypes.Public(err); err == nil || pub.Field != field || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", field, err)
		}
	}
}
