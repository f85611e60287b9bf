package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os/exec"
	"runtime"
	"strconv"
	"text/tabwriter"
	"time"
)

// sessionsCmd are about browser sessions, which live in the process that serves
// them: unlike commands about what lies on disk they ask that process.
type sessionsCmd struct {
	Create  sessionsCreateCmd  `cmd:"" help:"Open a browser session and print how to connect to it."`
	List    sessionsListCmd    `cmd:"" help:"List the sessions of a project, newest first."`
	Release sessionsReleaseCmd `cmd:"" help:"End sessions."`
	Live    sessionsLiveCmd    `cmd:"" help:"Print the address of a session's live view."`
	Replay  sessionsReplayCmd  `cmd:"" help:"Print the address at which a session's recording is played, also after its end."`
	Log     sessionsLogCmd     `cmd:"" help:"Print what happened in a session."`
}

// sessionState is a session as the service tells it.
type sessionState struct {
	ID         string
	Status     string
	CreatedAt  time.Time
	StartedAt  time.Time
	EndedAt    *time.Time
	ExpiresAt  time.Time
	ProxyBytes int64
	ContextID  string
	ConnectURL string
	ReplayURL  string
	Cause      *struct{ Code, Message string }
}

// ended reports whether nothing more happens in the session.
func (s sessionState) ended() bool { return s.Status != "PENDING" && s.Status != "RUNNING" }

func sessionPath(id, what string) string { return "/v1/sessions/" + url.PathEscape(id) + what }

type sessionsListCmd struct {
	service
	Status string `enum:",PENDING,RUNNING,COMPLETED,ERROR,TIMED_OUT" default:"" help:"Only those in this state: PENDING, RUNNING, COMPLETED, ERROR or TIMED_OUT." placeholder:"STATE"`
	Query  string `short:"q" help:"Only those whose metadata say so, such as user_metadata['team']:'qa'." placeholder:"QUERY"`
}

// Run prints one line a session.
func (cmd sessionsListCmd) Run(ctx context.Context, c console) error {
	api, err := cmd.client()
	if err != nil {
		return err
	}
	query := url.Values{}
	for name, value := range map[string]string{"status": cmd.Status, "q": cmd.Query} {
		if value != "" {
			query.Set(name, value)
		}
	}
	var raw json.RawMessage
	if err := api.call(ctx, "GET", "/v1/sessions?"+query.Encode(), nil, &raw); err != nil {
		return err
	}
	if cmd.JSON {
		return printJSON(c.stdout, raw)
	}
	var all []sessionState
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	return printSessions(c.stdout, all)
}

func printSessions(out io.Writer, all []sessionState) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tSTATE\tCREATED\tRAN\tBYTES\tCONTEXT\tWHY")
	for _, s := range all {
		end := time.Now()
		if s.EndedAt != nil {
			end = *s.EndedAt
		}
		why, profile := "-", "-"
		if s.Cause != nil {
			why = oneLine(s.Cause.Message)
		}
		if s.ContextID != "" {
			profile = s.ContextID
		}
		ran := max(end.Sub(s.StartedAt), 0).Round(time.Second)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", s.ID, s.Status, zoned(s.CreatedAt), ran, s.ProxyBytes, profile, why)
	}
	return w.Flush()
}

type sessionsReleaseCmd struct {
	service
	IDs []string `arg:"" name:"id" help:"Ids of the sessions, as list prints them."`
}

// Run ends each of the sessions, whatever becomes of the others.
func (cmd sessionsReleaseCmd) Run(ctx context.Context, c console) error {
	api, err := cmd.client()
	if err != nil {
		return err
	}
	var failed error
	for _, id := range cmd.IDs {
		var raw json.RawMessage
		if err := api.call(ctx, "POST", sessionPath(id, ""), map[string]string{"status": "REQUEST_RELEASE"}, &raw); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", id, err))
			continue
		}
		failed = errors.Join(failed, cmd.print(c, raw))
	}
	return failed
}

func (cmd sessionsReleaseCmd) print(c console, raw json.RawMessage) error {
	if cmd.JSON {
		return printJSON(c.stdout, raw)
	}
	var s sessionState
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.stdout, "Session %s is %s.\n", s.ID, s.Status)
	return err
}

type sessionsLiveCmd struct {
	service
	ID          string        `arg:"" help:"Id of the session, as list prints it."`
	Expires     time.Duration `help:"How long the link is good, at least a second. Default as long as the service allows." placeholder:"TIME"`
	Interactive bool          `help:"A link that lets its holder act in the session, not only look."`
	Open        bool          `help:"Open it in this machine's browser, too."`
}

// Run prints nothing but the address on standard output, so that it can be
// piped.
func (cmd sessionsLiveCmd) Run(ctx context.Context, c console) error {
	api, err := cmd.client()
	if err != nil {
		return err
	}
	live, err := api.liveURL(ctx, cmd.ID, cmd.Expires, cmd.Interactive)
	if err != nil {
		if s, askErr := api.session(ctx, cmd.ID); askErr == nil && s.ended() {
			err = fmt.Errorf("%w; drover sessions replay %s prints where to watch what was recorded", err, cmd.ID)
		}
		return err
	}
	return cmd.show(ctx, c, "liveUrl", live, cmd.Open)
}

// show prints an address, as JSON under its name, and opens it if that is wanted.
func (s service) show(ctx context.Context, c console, name, address string, open bool) (err error) {
	if s.JSON {
		err = printValue(c.stdout, map[string]string{name: address})
	} else {
		_, err = fmt.Fprintln(c.stdout, address)
	}
	if err == nil && open {
		err = openInBrowser(ctx, address)
	}
	return err
}

type sessionsReplayCmd struct {
	service
	ID   string `arg:"" help:"Id of the session, as list prints it."`
	Open bool   `help:"Open it in this machine's browser, too."`
}

// Run prints nothing but the address on standard output, as live does.
func (cmd sessionsReplayCmd) Run(ctx context.Context, c console) error {
	api, err := cmd.client()
	if err != nil {
		return err
	}
	s, err := api.session(ctx, cmd.ID)
	if err != nil {
		return err
	}
	return cmd.show(ctx, c, "replayUrl", s.ReplayURL, cmd.Open)
}

func (a *apiClient) session(ctx context.Context, id string) (s sessionState, err error) {
	err = a.call(ctx, "GET", sessionPath(id, ""), nil, &s)
	return s, err
}

// liveURL asks for a link to the live view; 0 is as long as the service allows.
func (a *apiClient) liveURL(ctx context.Context, id string, life time.Duration, interactive bool) (string, error) {
	query := url.Values{}
	if life != 0 {
		query.Set("expiresIn", strconv.FormatInt(int64(life/time.Second), 10))
	}
	if interactive {
		query.Set("interactive", "true")
	}
	var debug struct{ DebuggerURL string }
	err := a.call(ctx, "GET", sessionPath(id, "/debug?"+query.Encode()), nil, &debug)
	return debug.DebuggerURL, err
}

// openers open an address, by operating system.
var openers = map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}

func openInBrowser(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("the service named no address that can be opened")
	}
	how, ok := openers[runtime.GOOS]
	if !ok {
		how = []string{"xdg-open"}
	}
	if err := exec.CommandContext(ctx, how[0], append(how[1:len(how):len(how)], address)...).Run(); err != nil {
		return fmt.Errorf("no browser could be opened here, so open the address above (%s: %w)", how[0], err)
	}
	return nil
}
