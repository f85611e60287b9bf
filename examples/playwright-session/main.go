// Playwright-session serves Drover on a free port and has a script in JavaScript drive a
// browser session of it, with an unmodified playwright-core:
//
//	cd examples/playwright-session && npm install
//	go run . https://example.com
package main

import (
	"context"
	"flag"
	"log"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/storage/projects"
)

func main() {
	flag.Parse()
	if err := run(context.Background(), flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string) error {
	d, err := drover.Open(ctx, drover.Options{
		Data:          drover.InMemory,
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, // pages on this machine, too
	})
	if err != nil {
		return err
	}
	defer d.Close()
	_, key, err := d.Projects.CreateKey(ctx, projects.Default, "the script")
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: httpadapter.New(d, httpadapter.Options{})}
	defer server.Close()
	go server.Serve(listener)

	script := exec.CommandContext(ctx, "node", "title.mjs", url)
	script.Env = append(os.Environ(), "DROVER_SERVER=http://"+listener.Addr().String(), "DROVER_API_KEY="+key)
	script.Stdout, script.Stderr = os.Stdout, os.Stderr
	return script.Run()
}
