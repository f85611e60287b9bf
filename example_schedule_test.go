package drover_test

import (
	"context"
	"fmt"
	"log"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
)

// A schedule starts Actors, tasks, agents and functions by a cron expression, and its ledger
// says what became of each time.
func Example_schedule() {
	greet := actors.Func("greet", func(ctx context.Context, a *actors.Run) error {
		return a.SetOutput(ctx, "good morning")
	}, actors.FuncOptions{})

	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, Actors: []actors.Definition{greet}})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	s, err := d.Schedules.Create(ctx, schedules.Create{
		Name:     "each-morning",
		Settings: schedules.Settings{Cron: "30 8 * * 1-5", Timezone: "Europe/Prague", Enabled: true},
		Actions:  []schedules.Action{{Type: schedules.RunActor, Target: "~greet"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	next, err := d.Schedules.Next(ctx, s.ID, 10)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(next), next[0].At.Format("15:04"))

	if _, err := d.Schedules.Invoke(ctx, s.ID); err != nil { // now, too
		log.Fatal(err)
	}
	ledger, err := d.Schedules.Slots(ctx, s.ID, schedules.Filter{Desc: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, slot := range ledger.Items {
		run, err := d.Actors.Wait(ctx, slot.RunID, -1)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(slot.Outcome, run.Status)
	}
	// Output:
	// 10 08:30
	// started SUCCEEDED
}
