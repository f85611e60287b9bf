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
// kept. Several processes may open the same data directory. A host's tests open
// one by package drovertest.
//
// # Fetching a page
//
//	page, err := d.Fetch.Get(ctx, "https://example.com", fetch.Options{Format: fetch.Markdown})
//
// With format JSON it is what the page says, in the shape of a schema. No model
// is asked, and what the page does not say is left out:
//
//	page, err := d.Fetch.Get(ctx, url, fetch.Options{Format: fetch.JSON, Schema: drover.SchemaFor[Product]()})
//	product, err := fetch.Decode[Product](page)
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
// What a language model has found out once is done again without one: Steps
// writes a finished run as such a task.
//
//	steps, err := d.Runs.Steps(ctx, run.ID)
//	run, err = d.Runs.Create(ctx, runs.Create{Task: steps.Task, ResultSchema: steps.ResultSchema, Model: "plain"})
//
// Agents search the web and read other pages besides ([Options.Search]), and may have
// tools of the host's own: functions with a Go type for their input
// ([Options.Tools], [runs.NewTool]).
//
// # Browser sessions
//
// A session is a browser that a program drives with the verbs that agents have:
//
//	b, err := d.Sessions.Open(ctx, sessions.Create{})
//	defer b.Close()
//	page, err := b.Navigate(ctx, "https://shop.example/login")
//	form, err := b.Snapshot(ctx)
//	page, err = b.Click(ctx, form.Find("button", "Sign in"))
//
// It is also one for any client that speaks the DevTools protocol, such
// as Playwright, Puppeteer or chromedp. Its ConnectURL works at once:
//
//	s, err := d.Sessions.Create(ctx, sessions.Create{KeepAlive: true})
//	browser := dial(s.ConnectURL)
//	s, err = d.Sessions.Release(ctx, s.ID)
//
// A host does single things in it with Act, asks what can be done with Observe and
// what the page says with Extract, with a language model or without one:
//
//	product, err := drover.ExtractAs[Product](ctx, d, s.ID, runs.Extract{})
//
// What changes a session is stored beforehand and named by its id: a context is
// a profile that outlives sessions, a certificate one of an authority that is
// trusted or of the client itself, an extension one of the browser:
//
//	c, err := d.Contexts.Create(ctx, contexts.Create{Name: "shop"})
//	s, err := d.Sessions.Create(ctx, sessions.Create{Settings: sessions.Settings{
//		Context: &sessions.ContextRef{ID: c.ID, Persist: true},
//	}})
//
// The packages are runs/sessions, storage/contexts, storage/certificates,
// storage/extensions and storage/downloads, where the files lie that sessions
// have downloaded.
//
// # Functions
//
// A function is code beside the browser that is invoked by its name, with parameters
// and a session of its own: Go code of the host's ([Options.Functions]), or a program
// that was published:
//
//	inv, err := d.Functions.Invoke(ctx, "title", functions.Invoke{Params: params})
//	inv, err = d.Functions.Wait(ctx, inv.ID)
//
// A published program gets the secrets that are attached to its function, and where
// the host is root it runs as a user of its own; see docs/functions.md:
//
//	s, err := d.Secrets.Create(ctx, secrets.Create{Name: "TOKEN", Value: secrets.Value{Plain: token}})
//	err = d.Secrets.Attach(ctx, "title", s.ID)
//
// # Records
//
// Key-value stores, datasets and request queues keep what jobs read and write; see
// package storage/records and docs/records.md:
//
//	shop, _, err := d.Records.Create(ctx, records.Dataset, records.New{Name: "shop"})
//	err = d.Records.Push(ctx, shop.ID, []byte(`[{"name":"Lamp","price":20}]`))
//
// # Schedules
//
// A schedule starts Actors, tasks, agents and functions by a cron expression, and keeps a
// ledger of each time at which it was due; see package schedules and docs/schedules.md:
//
//	s, err := d.Schedules.Create(ctx, schedules.Create{
//		Settings: schedules.Settings{Cron: "30 8 * * 1-5", Timezone: "Europe/Prague", Enabled: true},
//		Actions:  []schedules.Action{{Type: schedules.RunActor, Target: "~shop-prices"}},
//	})
//	ledger, err := d.Schedules.Slots(ctx, s.ID, schedules.Filter{Desc: true})
//
// # Webhooks
//
// A webhook tells a receiver what happens to all of these, at least once and in order for
// each object; see package storage/webhooks and docs/webhooks.md:
//
//	w, secret, err := d.Webhooks.Create(ctx, webhooks.Create{Settings: webhooks.Settings{
//		URL: "https://receiver.example/", Events: []string{"functions.invocations.completed"},
//	}})
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
// # Watching
//
// A Drover counts what it does; package httpadapter serves the metrics, and its
// sub-package otelbridge gives them, and spans, to OpenTelemetry. See
// docs/observability.md:
//
//	http.Handle("/metrics", httpadapter.Metrics(d, httpadapter.MetricsOptions{Token: token}))
//
// # Reaching out
//
// Fetches and browsers reach the internet only. Private and loopback networks
// are refused unless [Options.AllowPrefixes] opens them.
package drover
