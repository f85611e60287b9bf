// Embed serves Drover below a path of a program that has routes of its own:
//
//	DROVER_API_KEY=choose-one go run ./examples/embed 127.0.0.1:8080
//	curl http://127.0.0.1:8080/hello
//	curl http://127.0.0.1:8080/browser/v1/sessions -X POST -H 'X-SVC-API-Key: choose-one'
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/storage/projects"
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, addr string) error {
	d, err := drover.Open(ctx, drover.Options{Data: "drover-data", RequireProject: true, Workers: drover.WorkersAlways})
	if err != nil {
		return err
	}
	defer d.Close()
	if _, err := d.Projects.PresetKey(ctx, projects.Default, "environment", os.Getenv("DROVER_API_KEY")); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "hello from the host") })
	mux.Handle("/browser/", http.StripPrefix("/browser", httpadapter.New(d, httpadapter.Options{})))

	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	server := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}
