package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// actorInput are the flags of what an Actor is given.
type actorInput struct {
	Input     string `short:"i" xor:"input" help:"Input, in JSON. Default none: that of the task, and what the Actor's schema presets." placeholder:"JSON"`
	InputFile string `short:"f" xor:"input" help:"File with the input; - for standard input." placeholder:"FILE"`
}

// read returns the input; nil for none.
func (in actorInput) read() (raw []byte, err error) {
	flag := "--input-file"
	switch {
	case in.Input != "":
		flag, raw = "--input", []byte(in.Input)
	case in.InputFile == "-":
		raw, err = io.ReadAll(os.Stdin)
	case in.InputFile != "":
		raw, err = os.ReadFile(in.InputFile)
	default:
		return nil, nil
	}
	if err != nil {
		return nil, errtypes.New(errtypes.Invalid, "the input cannot be read: %v", err)
	}
	return raw, isJSON(flag, raw)
}

// isJSON says where a text is no JSON.
func isJSON(flag string, raw []byte) error {
	var any json.RawMessage
	err := json.Unmarshal(raw, &any)
	if at, ok := errors.AsType[*json.SyntaxError](err); ok {
		return errtypes.Field(flag, `must be JSON such as {"url": "https://example.com"}: at byte %d: %v`, at.Offset, at)
	}
	return err
}

// runFlags are the options of a run.
type runFlags struct {
	Build          string        `help:"Build, by tag or number. Default that of the task or the Actor, else latest." placeholder:"BUILD"`
	Memory         int           `help:"Memory in MB, a power of two from 128 to 32768. Default that of the task or the Actor, else 1024." placeholder:"MB"`
	Timeout        time.Duration `default:"-1ns" help:"How long it may run, to the second; 0s for ever. Default that of the task or the Actor, else 5m." placeholder:"TIME"`
	MaxItems       int64         `help:"How many items the Actor is asked to make at the most. Default no limit." placeholder:"N"`
	RestartOnError bool          `help:"Start the run again where it fails."`
}

// query is what the service is asked for.
func (f runFlags) query() (url.Values, error) {
	q := url.Values{}
	if f.Build != "" {
		q.Set("build", f.Build)
	}
	if f.Memory != 0 {
		q.Set("memory", strconv.Itoa(f.Memory))
	}
	if f.Timeout%time.Second != 0 && f.Timeout != -1 || f.Timeout < -1 {
		return nil, errtypes.Field("--timeout", "must be whole seconds, such as 90s or 10m")
	}
	if f.Timeout >= 0 {
		q.Set("timeout", strconv.FormatInt(int64(f.Timeout/time.Second), 10))
	}
	if f.MaxItems != 0 {
		q.Set("maxItems", strconv.FormatInt(f.MaxItems, 10))
	}
	if f.RestartOnError {
		q.Set("restartOnError", "1")
	}
	return q, nil
}
