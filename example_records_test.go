package drover_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/storage/records"
)

// A consumer of a queue visits each address once, and what it finds goes into a
// dataset. A key-value store keeps what is read by its name.
func Example_records() {
	ctx := context.Background()
	d, err := drover.Open(ctx, drover.Options{Data: drover.InMemory})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	r := d.Records
	for kind, name := range map[records.Kind]string{records.RequestQueue: "to-visit", records.Dataset: "shop", records.KeyValueStore: "state"} {
		if _, _, err := r.Create(ctx, kind, records.New{Name: name}); err != nil {
			log.Fatal(err)
		}
	}
	me := records.Client{Key: "consumer-1"}
	addresses := []json.RawMessage{records.NewRequest("https://shop.example/lamp"), records.NewRequest("https://shop.example/chair")}
	if _, err := r.AddRequests(ctx, "~to-visit", addresses, false, me); err != nil {
		log.Fatal(err)
	}
	head, err := r.LockHead(ctx, "~to-visit", 10, time.Minute, me)
	if err != nil {
		log.Fatal(err)
	}
	for i, request := range head.Requests {
		item := fmt.Appendf(nil, `{"url": %q, "price": %d}`, request.URL, 20+30*i)
		if err := r.Push(ctx, "~shop", item); err != nil {
			log.Fatal(err)
		}
		handled := fmt.Appendf(nil, `{"url": %q, "handledAt": %q}`, request.URL, time.Now().Format(time.RFC3339))
		if _, err := r.UpdateRequest(ctx, "~to-visit", request.ID, handled, false, me); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := r.PutRecord(ctx, "~state", records.NewRecord{Key: "LAST", ContentType: "text/plain", Content: strings.NewReader("chair")}); err != nil {
		log.Fatal(err)
	}
	items, err := r.Items(ctx, "~shop", records.ItemsQuery{Fields: []string{"price", "url"}})
	if err != nil {
		log.Fatal(err)
	}
	if err := items.Write(ctx, os.Stdout, records.Output{Format: records.JSONL}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"price":20,"url":"https://shop.example/lamp"}
	// {"price":50,"url":"https://shop.example/chair"}
}
