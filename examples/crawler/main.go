// Crawler builds the Actor in the directory titles, a Cheerio crawler on the unmodified
// packages of npm, runs it on a site, and prints what it has found, an item a line.
//
//	cd examples/crawler && go run . https://example.com
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"os"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

func main() {
	flag.Parse()
	if err := run(context.Background(), flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string) error {
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory})
	if err != nil {
		return err
	}
	defer d.Close()
	actor, err := d.Actors.CreateActor(ctx, actors.CreateActor{Name: "titles", Versions: []actors.Version{{Number: "0.1"}}})
	if err != nil {
		return err
	}
	build, err := d.Actors.Build(ctx, actor.ID, actors.CreateBuild{Version: "0.1", Dir: "titles"})
	if err != nil {
		return err
	}
	if build, err = d.Actors.WaitBuild(ctx, build.ID, -1); err != nil {
		return err
	}
	log.Println("build", build.Number, build.Status, build.Message)
	input, _ := json.Marshal(map[string]string{"start": url})
	run, err := d.Actors.Start(ctx, actor.ID, actors.Start{Input: &actors.Input{Body: input}})
	if err != nil {
		return err
	}
	if run, err = d.Actors.Wait(ctx, run.ID, -1); err != nil {
		return err
	}
	log.Println("run", run.Status, run.StatusMessage)
	items, err := d.Records.Items(ctx, run.DatasetID, records.ItemsQuery{})
	if err != nil {
		return err
	}
	return items.Write(ctx, os.Stdout, records.Output{Format: records.JSONL})
}
