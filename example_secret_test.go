package drover_test

import (
	"context"
	"fmt"
	"log"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/storage/secrets"
)

// A secret goes in, and comes out where a function that has it is run. Lists show
// its name alone.
func Example_secret() {
	ctx := context.Background()
	order := functions.Func("order", func(context.Context, *functions.Invocation) (any, error) { return nil, nil }, functions.FuncOptions{})
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory, Functions: []functions.Definition{order}})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	secret, err := d.Secrets.Create(ctx, secrets.Create{Name: "SHOP_PASSWORD", Value: secrets.Value{Plain: "correct horse"}})
	if err != nil {
		log.Fatal(err)
	}
	if err := d.Secrets.Attach(ctx, "order", secret.ID); err != nil {
		log.Fatal(err)
	}
	page, err := d.Secrets.Attached(ctx, "order", secrets.Filter{})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range page.Secrets {
		fmt.Println(s.Name)
	}
	// Output:
	// SHOP_PASSWORD
}
