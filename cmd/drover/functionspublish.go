package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// aProgram are the flags that say what is published.
type aProgram struct {
	Entrypoint string `arg:"" optional:"" default:"index.ts" help:"File that defines the functions, in --dir. Default ${default}."`
	Dir        string `short:"C" default:"." help:"Directory of the program. What is published of it: all files but those in node_modules, .git and .browserbase, and .env files. Default the current one." placeholder:"DIR"`
}

// check refuses what is no program before it is packed.
func (p aProgram) check() error {
	if !filepath.IsLocal(p.Entrypoint) {
		return errtypes.Field("<entrypoint>", "must be a file in %s", p.Dir)
	}
	if info, err := os.Stat(filepath.Join(p.Dir, p.Entrypoint)); err != nil || !info.Mode().IsRegular() {
		return errtypes.New(errtypes.NotFound, "there is no file %s; \"drover functions init\" writes an example", filepath.Join(p.Dir, p.Entrypoint))
	}
	return nil
}

// leftOut reports whether a file or directory stays at home: what is installed or
// written again, and what holds secrets.
func leftOut(name string) bool {
	return name == "node_modules" || name == ".git" || name == ".browserbase" || name == ".env" || strings.HasPrefix(name, ".env.")
}

// files calls a function for each file of the program, by its path in it.
func (p aProgram) files(do func(name string, info fs.FileInfo) error) error {
	return filepath.WalkDir(p.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != p.Dir && leftOut(e.Name()) {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !e.Type().IsRegular() {
			return nil
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) { // it has just been removed
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(p.Dir, path)
		if err != nil {
			return err
		}
		return do(name, info)
	})
}

// pack writes the program as a tar file in gzip.
func (p aProgram) pack(w io.Writer) error { return packed(w, p.files, p.Dir) }

// packed writes files of a directory as a tar file in gzip.
func packed(w io.Writer, files func(add func(name string, info fs.FileInfo) error) error, dir string) error {
	zipped := gzip.NewWriter(w)
	archive := tar.NewWriter(zipped)
	err := files(func(name string, info fs.FileInfo) error {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		defer f.Close()
		mode := int64(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		if err := archive.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Typeflag: tar.TypeReg, Mode: mode, Size: info.Size()}); err != nil {
			return err
		}
		_, err = io.CopyN(archive, f, info.Size())
		return err
	})
	return errors.Join(err, archive.Close(), zipped.Close())
}

// form writes the form that publishes the program.
func (p aProgram) form(form *multipart.Writer) error {
	metadata, err := json.Marshal(map[string]string{"entrypoint": filepath.ToSlash(p.Entrypoint)})
	if err != nil {
		return err
	}
	if err := form.WriteField("metadata", string(metadata)); err != nil {
		return err
	}
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="archive"; filename="archive.tar.gz"`}, "Content-Type": {"application/gzip"},
	})
	if err != nil {
		return err
	}
	return errors.Join(p.pack(part), form.Close())
}

type buildState struct {
	ID, Status     string
	BuiltFunctions []struct {
		ID, Name       string
		CreatedVersion struct{ ID string }
	}
	Cause *causeState
}

type causeState struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (b buildState) ended() bool { return b.Status != "PENDING" && b.Status != "RUNNING" }

// publish sends the program and follows its build to the end.
func (a *apiClient) publish(ctx context.Context, p aProgram, log io.Writer) (b buildState, err error) {
	if err := p.check(); err != nil {
		return b, err
	}
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() { w.CloseWithError(p.form(form)) }()
	err = a.send(ctx, "POST", "/v1/functions/builds", form.FormDataContentType(), r, &b)
	r.Close()
	if err != nil {
		return b, err
	}
	fmt.Fprintf(log, "Build %s\n", b.ID)
	path := "/v1/functions/builds/" + b.ID
	err = a.follow(ctx, path, log, func(ctx context.Context, path string) (bool, error) {
		err := a.call(ctx, "GET", path, nil, &b)
		return b.ended(), err
	})
	if ctx.Err() != nil {
		a.cancel(ctx, path)
	}
	return b, err
}

// cancelTime is how long it may take to cancel what nobody waits for any more.
const cancelTime = 5 * time.Second

// cancel ends what was begun by a command that is broken off. What has ended
// meanwhile needs it not.
func (a *apiClient) cancel(ctx context.Context, path string) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer done()
	_ = a.call(ctx, "POST", path+"/cancel", nil, nil)
}

// Between two looks at what is not over yet.
const (
	firstLook = 50 * time.Millisecond
	lastLook  = time.Second
)

// follow prints the log of a build or an invocation until it has ended, which look
// tells.
func (a *apiClient) follow(ctx context.Context, path string, log io.Writer, look func(ctx context.Context, path string) (ended bool, err error)) error {
	var last *int64 // the line that was printed last
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		ended, err := look(ctx, path)
		if err != nil {
			return err
		}
		if last, err = a.printLog(ctx, path+"/logs", log, last); err != nil || ended {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// printLog prints the lines of a log that are behind one, and returns the last. Lines
// that were dropped before they could be read are counted.
func (a *apiClient) printLog(ctx context.Context, path string, w io.Writer, last *int64) (*int64, error) {
	if last != nil {
		path += "?after=" + strconv.FormatInt(*last, 10)
	}
	var log struct {
		Logs []struct {
			Message  string
			Sequence int64
		}
	}
	if err := a.call(ctx, "GET", path, nil, &log); err != nil {
		return last, err
	}
	for _, line := range log.Logs {
		if last != nil && line.Sequence > *last+1 {
			fmt.Fprintf(w, "(%d lines were dropped: the log is too long)\n", line.Sequence-*last-1)
		}
		fmt.Fprintln(w, strings.Map(printable, line.Message))
		last = &line.Sequence
	}
	return last, nil
}

type functionsPublishCmd struct {
	onPrograms
	aProgram
}

// Run prints the build's log on standard error as it comes, and the functions.
func (cmd functionsPublishCmd) Run(ctx context.Context, c console) error {
	return cmd.do(ctx, c, func(ctx context.Context, api *apiClient) error {
		b, err := api.publish(ctx, cmd.aProgram, c.stderr)
		if err != nil {
			return err
		}
		if cmd.JSON {
			err = printValue(c.stdout, b)
		} else {
			printBuilt(c.stdout, b)
		}
		return errors.Join(err, b.failure())
	})
}

func printBuilt(w io.Writer, b buildState) {
	for _, f := range b.BuiltFunctions {
		fmt.Fprintf(w, "Published %s: function %s, version %s\n", nameText(f.Name), f.ID, f.CreatedVersion.ID)
	}
}

// failure is the error of a build that made nothing.
func (b buildState) failure() error {
	if b.Cause == nil {
		return nil
	}
	return fmt.Errorf("the build has failed: %s: %s", b.Cause.Code, strings.Map(printable, b.Cause.Message))
}
