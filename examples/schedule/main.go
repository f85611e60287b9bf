// Schedule has an Actor run every ten seconds, waits for the first time, and prints what the
// ledger says of it.
//
//	go run ./examples/schedule
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/schedules"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	greeted := make(chan struct{}, 1)
	greet := actors.Func("greet", func(ctx context.Context, a *actors.Run) error {
		fmt.Println("good morning")
		greeted <- struct{}{}
		return nil
	}, actors.FuncOptions{})
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, Actors: []actors.Definition{greet}})
	if err != nil {
		return err
	}
	defer d.Close()
	s, err := d.Schedules.Create(ctx, schedules.Create{
		Name:     "each-morning",
		Settings: schedules.Settings{Cron: "*/10 * * * * *", Timezone: "Europe/Prague", Enabled: true}, // "30 8 * * 1-5" is half past eight on weekdays
		Actions:  []schedules.Action{{Type: schedules.RunActor, Target: "~greet"}},
	})
	if err != nil {
		return err
	}
	next, err := d.Schedules.Next(ctx, s.ID, 3)
	if err != nil {
		return err
	}
	for _, n := range next {
		fmt.Println("due at", n.At)
	}
	<-greeted
	ledger, err := d.Schedules.Slots(ctx, s.ID, schedules.Filter{})
	if err != nil {
		return err
	}
	for _, slot := range ledger.Items {
		fmt.Println(slot.Outcome, slot.Target, slot.Late, "late")
	}
	return nil
}
