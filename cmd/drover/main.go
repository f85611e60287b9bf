// Command drover serves the browser cloud and job platform, and does from the
// command line what is handy there. "drover --help" lists its commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome"
)

// commands is the command line as data.
type commands struct {
	Serve        serveCmd        `cmd:"" group:"setup" help:"Serve the HTTP interface."`
	Fetch        fetchCmd        `cmd:"" group:"cloud" help:"Fetch a page and print it."`
	Run          runCmd          `cmd:"" group:"cloud" help:"Let an agent do a task and print its result."`
	Suite        suiteCmd        `cmd:"" group:"cloud" help:"Measure models on a folder of task pages."`
	Functions    functionsCmd    `cmd:"" group:"jobs" help:"Write, publish, invoke and watch functions."`
	Actors       actorsCmd       `cmd:"" group:"jobs" help:"Push, run, call and watch Actors."`
	Records      recordsCmd      `cmd:"" group:"jobs" help:"List, read and fill datasets, key-value stores and request queues."`
	Schedules    schedulesCmd    `cmd:"" group:"jobs" help:"Start Actors, tasks, agents and functions by cron expressions; see what became of each time."`
	Webhooks     webhooksCmd     `cmd:"" group:"jobs" help:"Tell receivers of what happens; see what was sent, and send it again."`
	Secrets      secretsCmd      `cmd:"" group:"jobs" help:"Set, list and delete secrets, which functions get."`
	Keys         keysCmd         `cmd:"" group:"setup" help:"Create, list and revoke API keys; rotate the master key."`
	Backup       backupCmd       `cmd:"" group:"setup" help:"Back up the data, while a service works with them; check a backup."`
	Restore      restoreCmd      `cmd:"" group:"setup" help:"Make a data directory of a backup."`
	Sessions     sessionsCmd     `cmd:"" group:"cloud" help:"Create, list, release and watch browser sessions of a running service."`
	Contexts     contextsCmd     `cmd:"" group:"cloud" help:"Create, list, delete, export and import browser contexts."`
	Extensions   extensionsCmd   `cmd:"" group:"cloud" help:"Upload, list and delete extensions of the browser."`
	Certificates certificatesCmd `cmd:"" group:"cloud" help:"Add, list, show and delete certificates for sessions and fetches."`
	Doctor       doctorCmd       `cmd:"" group:"setup" help:"Say what is there, what is missing and how to get it."`
	Demo         demoCmd         `cmd:"" group:"cloud" help:"Watch an agent do a task in a small shop."`
	Version      versionCmd      `cmd:"" group:"setup" help:"Print the version."`
}

// commandGroups are the headings of the help.
var commandGroups = []kong.Group{
	{Key: "setup", Title: "Service, keys, machine"},
	{Key: "cloud", Title: "Browsers, pages, agents"},
	{Key: "jobs", Title: "Jobs: functions, Actors, their stores, schedules and secrets"},
	{Key: "programs", Title: "Processes of published programs"},
}

// console is where a command reads and writes.
type console struct {
	stdout, stderr io.Writer
}

func main() {
	os.Exit(run(os.Args[1:], console{os.Stdout, os.Stderr}))
}

// run executes one command line and returns the exit status: 0 for success and
// for help, 1 for a failure, 2 for a command line that is not understood; commands that
// wait for a run tell more of its end.
func run(args []string, c console) int {
	var cmds commands
	exited := -1
	parser, err := kong.New(&cmds,
		kong.Name("drover"),
		kong.Description("A browser cloud and a job platform in one binary.\n\n"+
			keyVariable+" presets the key of the project \"default\", and is the key with which commands ask a service; "+chrome.ExecPathEnv+" names the Chromium to use; "+
			masterKeyVariable+" is the master key, in place of that in the data directory, "+formerMasterKeysVariable+" those before it."),
		kong.ExplicitGroups(commandGroups),
		kong.Writers(c.stdout, c.stderr),
		kong.Exit(func(code int) { exited = code }),
		kong.UsageOnError(),
	)
	if err != nil {
		panic(err) // the commands are wrong, not the command line
	}
	if onlyGroup(parser.Model.Node, args) {
		args = append(args, "--help")
	}
	chosen, err := parser.Parse(args)
	if exited >= 0 { // --help
		return exited
	}
	if err != nil {
		fmt.Fprintln(c.stderr, "drover:", err)
		return 2
	}
	ctx, stop := untilSignal()
	defer stop()
	chosen.BindTo(ctx, (*context.Context)(nil))
	chosen.Bind(c)
	if err := chosen.Run(); err != nil {
		fmt.Fprintln(c.stderr, "drover:", diagnose(err))
		return exitStatus(err)
	}
	return 0
}

// exitStatus is that of a command that failed: 1 unless the error has one of its own.
func exitStatus(err error) int {
	if own, ok := errors.AsType[interface {
		error
		ExitStatus() int
	}](err); ok {
		return own.ExitStatus()
	}
	return 1
}

// onlyGroup reports whether a command line is no command but the name of some, or
// nothing at all: that asks for help.
func onlyGroup(n *kong.Node, args []string) bool {
	if len(args) == 0 {
		return n.Type != kong.CommandNode || len(n.Children) > 0
	}
	for _, child := range n.Children {
		if child.Name == args[0] && child.Type == kong.CommandNode {
			return onlyGroup(child, args[1:])
		}
	}
	return false
}

// untilSignal ends the context at the first SIGINT or SIGTERM. A second one
// kills the process, as it would without us.
func untilSignal() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// diagnose is what whoever runs Drover needs of an error: unlike a caller, the
// cause, too.
func diagnose(err error) string {
	if known, ok := errors.AsType[*errtypes.Error](err); ok {
		err = known
	}
	return err.Error()
}
