// Package drover is a browser cloud and a job platform that a Go program
// imports. It needs no service, no container and no account: the database is
// SQLite in pure Go, the browser is the Chromium on the machine.
//
// # Opening
//
// [Open] returns a [Drover] with one field for each service:
//
//	d, err := drover.Open(ctx, drover.Options{Data: "drover-data"})
//	if err != nil {
//		return err
//	}
//	defer d.Close()
//
// The context bounds the opening only. No browser is started before one is
// needed, and none outlives the process. With [InMemory] as Data nothing is
// kept, which suits a host's tests. Several processes may open the same data
// directory.
//
// # Fetching a page
//
//	page, err := d.Fetch.Get(ctx, "https://example.com", fetch.Options{Format: fetch.Markdown})
//
// # Running an agent
//
// A run does a task in a browser and returns JSON in the shape of a schema:
//
//	type Order struct {
//		Number string  `json:"number"`
//		Total  float64 `json:"total"`
//	}
//	run, err := d.Runs.Create(ctx, runs.Create{
//		Task:         `go to https://shop.example/orders, click "Latest order", return the order`,
//		ResultSchema: drover.SchemaFor[Order](),
//	})
//	run, err = d.Runs.Wait(ctx, run.ID)
//	order, err := runs.Result[Order](run)
//
// Without a configured [Options.Model] the task is written as plain steps, as
// above; package plain documents them. Runs are durable: they survive a
// restart while they wait, and end with an honest cause when the process that
// executes them dies.
//
// # Projects
//
// Every call acts for a project, whose rows are the only ones it sees. A host
// that sets none acts for the project "default"; see package projects.
//
// # Serving
//
// Package httpadapter serves the same over HTTP:
//
//	http.Handle("/", httpadapter.New(d, httpadapter.Options{}))
//
// # Reaching out
//
// Fetches and browsers reach the internet only. Private and loopback networks
// are refused unless [Options.AllowPrefixes] opens them.
package drover
