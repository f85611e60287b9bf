// Actor registers a Go function as an Actor, runs it, and answers with its output: what
// POST /v2/actors/{actorId}/run-sync does over HTTP.
//
//	go run ./examples/actor drove of oxen
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
)

type input struct{ Words []string }

// count pushes an item for each word to the run's dataset; the record OUTPUT is the answer.
var count = actors.Func("count-words", func(ctx context.Context, a *actors.Run) error {
	var in input
	if err := a.Input(&in); err != nil {
		return err
	}
	for _, word := range in.Words {
		if err := a.Push(ctx, map[string]any{"word": word, "letters": len(word)}); err != nil {
			return err
		}
	}
	return a.SetOutput(ctx, map[string]int{"words": len(in.Words)})
}, actors.FuncOptions{})

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, words []string) error {
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, Actors: []actors.Definition{count}})
	if err != nil {
		return err
	}
	defer d.Close()
	body, err := json.Marshal(input{Words: words})
	if err != nil {
		return err
	}
	out, err := d.Actors.RunSync(ctx, "~count-words", actors.Start{Input: &actors.Input{Body: body}}, "OUTPUT")
	if err != nil {
		return err
	}
	defer out.Close()
	answer, err := io.ReadAll(out)
	fmt.Println(string(answer))
	return err
}
