package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/sessions"
)

type sessionsCreateCmd struct {
	service
	Timeout    time.Duration     `help:"Longest life, at least 1m. Default that of the service." placeholder:"TIME"`
	KeepAlive  bool              `help:"Keep it when its last client leaves, and when none comes within 5 minutes."`
	Viewport   string            `help:"Size of its pages." placeholder:"WIDTHxHEIGHT"`
	Proxies    bool              `help:"Go through the proxies of the service."`
	Verified   bool              `help:"A browser without marks of automation."`
	OwnProcess bool              `help:"A browser process of its own, which starts cold."`
	BlockAds   bool              `help:"Refuse requests to known advertisers and trackers."`
	Allow      []string          `help:"Refuse all other domains; may be given several times." placeholder:"DOMAIN"`
	Context    string            `help:"Id of a stored profile to use." placeholder:"ID"`
	Persist    bool              `help:"Save the profile of --context when the session ends."`
	Extension  string            `help:"Id of an extension to load." placeholder:"ID"`
	Certs      []string          `name:"ca-certificate" help:"Id of a certificate of an authority to trust; may be given several times." placeholder:"ID"`
	Metadata   map[string]string `help:"What list can search for; may be given several times." placeholder:"NAME=VALUE"`
	NoRecord   bool              `help:"Record nothing."`
	NoLog      bool              `help:"Log nothing."`
}

// Run opens a session and prints its id, its connect URL and its live view.
func (cmd sessionsCreateCmd) Run(ctx context.Context, c console) error {
	body, err := cmd.body()
	if err != nil {
		return err
	}
	api, err := cmd.client()
	if err != nil {
		return err
	}
	made := map[string]any{}
	if err := api.call(ctx, "POST", "/v1/sessions", body, &made); err != nil {
		return err
	}
	id, _ := made["id"].(string)
	live, err := api.liveURL(ctx, id, 0, false)
	if err != nil { // the session is open all the same: what connects to it must not be lost
		err = fmt.Errorf("session %s is open, but has no link to its live view: %w", id, err)
	} else {
		made["liveUrl"] = live
	}
	if cmd.JSON {
		return errors.Join(err, printValue(c.stdout, made))
	}
	return errors.Join(err, printMade(c.stdout, made))
}

func printMade(out io.Writer, made map[string]any) error {
	made["ends"] = endsWhen(made)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, line := range [][2]string{{"id", "id"}, {"connect", "connectUrl"}, {"live", "liveUrl"}, {"expires", "expiresAt"}, {"ends", "ends"}} {
		if value, there := made[line[1]]; there {
			fmt.Fprintf(w, "%s\t%v\n", line[0], value)
		}
	}
	return w.Flush()
}

// endsWhen says what ends a session before it expires. The service does not say
// how long it waits for a first client: no flag of serve changes that.
func endsWhen(made map[string]any) string {
	if made["keepAlive"] == true {
		return "when it expires or is released; until then it is kept, connected or not"
	}
	text, _ := made["startedAt"].(string)
	began, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return "when no client comes for some minutes, or the last one leaves"
	}
	return fmt.Sprintf("at %s unless a client connects before (watching does not count), else when its last client leaves", zoned(began.Add(sessions.DefaultConnectTimeout)))
}

// body is what is asked for; what the flags do not name is left to the service.
func (cmd sessionsCreateCmd) body() (map[string]any, error) {
	settings := map[string]any{}
	body := map[string]any{"browserSettings": settings}
	add := func(to map[string]any, name string, asked bool, value any) {
		if asked {
			to[name] = value
		}
	}
	add(body, "timeout", cmd.Timeout != 0, int64(cmd.Timeout/time.Second))
	add(body, "keepAlive", cmd.KeepAlive, true)
	add(body, "proxies", cmd.Proxies, true)
	add(body, "extensionId", cmd.Extension != "", cmd.Extension)
	add(body, "userMetadata", len(cmd.Metadata) > 0, cmd.Metadata)
	add(body, "proxySettings", len(cmd.Certs) > 0, map[string]any{"caCertificates": cmd.Certs})
	add(settings, "verified", cmd.Verified, true)
	add(settings, "ownProcess", cmd.OwnProcess, true)
	add(settings, "blockAds", cmd.BlockAds, true)
	add(settings, "recordSession", cmd.NoRecord, false)
	add(settings, "logSession", cmd.NoLog, false)
	add(settings, "allowedDomains", len(cmd.Allow) > 0, cmd.Allow)
	add(settings, "context", cmd.Context != "", map[string]any{"id": cmd.Context, "persist": cmd.Persist})
	if cmd.Persist && cmd.Context == "" {
		return nil, errtypes.Field("--persist", "needs --context, which names what is saved")
	}
	viewport, err := viewportOf(cmd.Viewport)
	add(settings, "viewport", viewport != nil, viewport)
	return body, err
}

// viewportOf reads "1280x720"; nothing is nil.
func viewportOf(text string) (map[string]int, error) {
	if text == "" {
		return nil, nil
	}
	w, h, _ := strings.Cut(text, "x")
	width, err := strconv.Atoi(w)
	height, errHeight := strconv.Atoi(h)
	if err != nil || errHeight != nil {
		return nil, errtypes.Field("--viewport", "must be a width and a height in pixels, such as 1280x720")
	}
	return map[string]int{"width": width, "height": height}, nil
}
