package drover_test

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
)

// An Actor is a program that runs as a job, with an input, stores and a log of its own.
// This one is a Go function of the host.
func Example_actor() {
	type input struct {
		Words []string `json:"words"`
	}
	count := actors.Func("count-letters", func(ctx context.Context, a *actors.Run) error {
		var in input
		if err := a.Input(&in); err != nil {
			return err
		}
		total := 0
		for _, word := range in.Words {
			if err := a.Push(ctx, map[string]any{"word": word, "letters": len(word)}); err != nil {
				return err
			}
			total += len(word)
		}
		a.Logger().Info("counted", "words", len(in.Words))
		return a.SetOutput(ctx, map[string]int{"letters": total})
	}, actors.FuncOptions{InputSchema: []byte(`{"title": "Words", "type": "object", "schemaVersion": 1,
		"properties": {"words": {"title": "Words", "type": "array", "editor": "stringList", "default": ["drove"]}}}`)})

	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, Actors: []actors.Definition{count}})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	task, err := d.Actors.CreateTask(ctx, actors.CreateTask{Actor: "~count-letters", Name: "two-words", Input: []byte(`{"words": ["ox", "bell"]}`)})
	if err != nil {
		log.Fatal(err)
	}
	out, err := d.Actors.RunTaskSync(ctx, task.ID, actors.Start{}, "OUTPUT")
	if err != nil {
		log.Fatal(err)
	}
	defer out.Close()
	body, err := io.ReadAll(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Run.Status, string(body))
	for line, err := range d.Actors.FollowLog(ctx, out.Run.ID) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(line.Message)
	}

	run, err := d.Actors.Start(ctx, "~count-letters", actors.Start{}) // with the default of the schema
	if err != nil {
		log.Fatal(err)
	}
	if run, err = d.Actors.Wait(ctx, run.ID, -1); err != nil {
		log.Fatal(err)
	}
	dataset, err := d.Records.Get(ctx, "dataset", run.DatasetID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(run.Status, dataset.Items)
	// Output:
	// SUCCEEDED {"letters":6}
	// level=INFO msg=counted words=2
	// SUCCEEDED 1
}
