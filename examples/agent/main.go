// Agent has a language model do a task in a browser, prints what it does, and returns the
// answer as a Go value:
//
//	OPENAI_API_KEY=… OPENAI_MODEL=gpt-5.6 go run ./examples/agent 'Which release of Go is the newest, says https://go.dev?'
//
// OPENAI_BASE_URL names another server that speaks like OpenAI's.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net/netip"
	"os"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model/openai"
)

type answer struct{ Answer string } // the shape of the result

func main() {
	flag.Parse()
	if err := run(context.Background(), flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, task string) error {
	llm, err := openai.New(openai.Options{Model: os.Getenv("OPENAI_MODEL"), Key: os.Getenv("OPENAI_API_KEY"), BaseURL: os.Getenv("OPENAI_BASE_URL")})
	if err != nil {
		return err
	}
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, Model: llm, AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if err != nil {
		return err
	}
	defer d.Close()
	run, err := d.Runs.Create(ctx, runs.Create{Task: task, ResultSchema: drover.SchemaFor[answer]()})
	if err != nil {
		return err
	}
	for m, err := range d.Runs.Messages(ctx, run.ID) { // until the run has ended
		if err != nil {
			return err
		}
		for _, call := range m.Message.Calls() {
			fmt.Println(call.ToolName, string(call.Input))
		}
	}
	if run, err = d.Runs.Get(ctx, run.ID); err != nil {
		return err
	}
	result, err := runs.Result[answer](run)
	fmt.Println(run.Status, result.Answer)
	return err
}
