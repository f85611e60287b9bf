package drover_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs"
	scriptedmodel "github.com/drover-go/drover/runs/model/scripted"
)

// Agents can have tools of the host's beside those of the browser: functions, whose
// input has the schema of a Go type.
func Example_tool() {
	type order struct {
		Number string `json:"number" jsonschema:"as on the invoice, such as A-17"`
	}
	look := runs.NewTool("find_order", "Finds an order of ours by its number.",
		func(_ context.Context, _ runs.ToolContext, in order) (any, error) {
			if in.Number != "A-17" {
				return nil, errtypes.New(errtypes.Invalid, "there is no order %q", in.Number)
			}
			return map[string]string{"customer": "Ada"}, nil
		})
	look.ReadOnly = true

	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{
		Data: drover.InMemory, Tools: []runs.Tool{look},
		Model: scriptedmodel.New( // in the place of a language model
			scriptedmodel.Call("find_order", order{"A-17"}),
			scriptedmodel.Call("done", map[string]any{"success": true, "result": json.RawMessage(`{"customer":"Ada"}`)}),
		),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	run, err := d.Runs.Create(ctx, runs.Create{Task: "Whose is the order A-17?"})
	if err != nil {
		log.Fatal(err)
	}
	run, err = d.Runs.Wait(ctx, run.ID)
	fmt.Println(run.Status, string(run.Result), err)
	// Output: COMPLETED {"customer":"Ada"} <nil>
}
