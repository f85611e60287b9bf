package drover_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http/httptest"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/sessions"
)

// Single things are done in a session: what can be done is observed, one of it is
// done, and the page is read into a type. No language model is needed here.
func Example_oneShots() {
	site := httptest.NewServer(demosite.New())
	defer site.Close()
	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, AllowPrefixes: loopback})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	s, err := d.Sessions.Create(ctx, sessions.Create{KeepAlive: true})
	if err != nil {
		log.Fatal(err)
	}
	open := runs.Call{Tool: "navigate", Input: json.RawMessage(fmt.Sprintf(`{"url":%q}`, site.URL))}
	if _, err := d.Runs.Act(ctx, s.ID, runs.Act{Call: &open}); err != nil {
		log.Fatal(err)
	}
	seen, err := d.Runs.Observe(ctx, s.ID, runs.Observe{Instruction: "the floor lamp"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(seen.Calls[0].Description)
	if _, err := d.Runs.Act(ctx, s.ID, runs.Act{Call: &seen.Calls[0]}); err != nil {
		log.Fatal(err)
	}
	type product struct {
		Name  string  `json:"name"`
		Price float64 `json:"price"`
	}
	lamp, err := drover.ExtractAs[product](ctx, d, s.ID, runs.Extract{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lamp.Name, lamp.Price)
	// Output:
	// click link "Tidal floor lamp"
	// Tidal floor lamp 249
}
