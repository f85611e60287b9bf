package drover_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/runs"
)

// readme is the program of README.md, word for word; a test compares them.
func readme(ctx context.Context) error {
	d, err := drover.Open(ctx, drover.Options{Data: "drover-data"})
	if err != nil {
		return err
	}
	defer d.Close()
	type Page struct{ Title string }
	task := runs.Create{Task: `go to https://example.com, return the title`, ResultSchema: drover.SchemaFor[Page]()}
	run, err := d.Runs.Create(ctx, task)
	if err != nil {
		return err
	}
	run, err = d.Runs.Wait(ctx, run.ID)
	fmt.Println(run.Status, string(run.Result), run.Cause) // COMPLETED {"Title":"Example Domain"}; a FAILED run is no error of Wait
	return err
}

func TestTheProgramOfTheREADMECompiles(t *testing.T) {
	t.Parallel()
	_ = readme
	own, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, found := strings.Cut(string(own), "func readme(ctx context.Context) error {\n")
	program, _, ended := strings.Cut(program, "\n}\n")
	_, shown, there := strings.Cut(string(manual), "\n```go\n")
	shown, _, closed := strings.Cut(shown, "\n```\n")
	if !found || !ended || !there || !closed {
		t.Fatal("the program is not where it was")
	}
	if dedented := strings.ReplaceAll("\n"+program, "\n\t", "\n")[1:]; dedented != shown {
		t.Errorf("README.md shows\n%s\nbut this compiles:\n%s", shown, dedented)
	}
}

// A run follows written steps on the little shop and returns what the schema
// asks for.
func Example_run() {
	site := httptest.NewServer(demosite.New())
	defer site.Close()
	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, AllowPrefixes: loopback})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	type product struct {
		Name  string  `json:"name"`
		Price float64 `json:"price"`
	}
	run, err := d.Runs.Create(ctx, runs.Create{
		Task:         `go to ` + site.URL + `/products/post-rack, return the name and the price`,
		ResultSchema: drover.SchemaFor[product](),
	})
	if err != nil {
		log.Fatal(err)
	}
	if run, err = d.Runs.Wait(ctx, run.ID); err != nil {
		log.Fatal(err)
	}
	p, err := runs.Result[product](run)
	if err != nil {
		log.Fatal(run.Cause, err)
	}
	fmt.Println(run.Status, p.Name, p.Price)
	// Output: COMPLETED Post rack 29.75
}

// The adapter serves a Drover to clients of the hosted service.
func Example_serve() {
	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, RequireProject: true})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	_, key, err := d.Projects.CreateKey(ctx, "default", "example")
	if err != nil {
		log.Fatal(err)
	}
	server := httptest.NewServer(httpadapter.New(d, httpadapter.Options{}))
	defer server.Close()

	req, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/v1/agents", strings.NewReader(`{"name":"reader"}`))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("X-SVC-API-Key", key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	var agent struct{ Name string }
	err = json.NewDecoder(resp.Body).Decode(&agent)
	fmt.Println(resp.StatusCode, agent.Name, err)
	// Output: 201 reader <nil>
}
