package sessions

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage/blob"
)

// saverEnv makes a host one of one session, which saves the context it names
// when it has visited the address it names, to be killed at that. What it keeps
// it tells when so many bytes of it are written.
const (
	saverEnv   = hostEnv + "_SAVER"
	saverEnvAt = saverEnv + "_AT"
)

// saverMain says how far it is, and waits at none of its words but the first,
// for a line, and the last, for its end.
func saverMain(ctx context.Context, dir string, p browser.Provider) error {
	id, url, _ := strings.Cut(os.Getenv(saverEnv), " ")
	at, err := strconv.ParseInt(os.Getenv(saverEnvAt), 10, 64)
	if err != nil {
		return err
	}
	w, err := open(ctx, setup{dir: dir, browser: p, contexts: true, keeping: func(s blob.Store) blob.Store { return telling{s, at} }})
	if err != nil {
		return err
	}
	s, err := w.Create(ctx, Create{KeepAlive: true, Settings: Settings{Context: &ContextRef{ID: id, Persist: true}}})
	if err != nil {
		return err
	}
	if _, err := w.find(s.ID).browser.Navigate(ctx, url); err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	if _, err := w.Release(ctx, s.ID); err != nil {
		return err
	}
	fmt.Println("saved")
	select {}
}

// telling says when so many bytes of a file are written, and goes on with the
// rest in small pieces: who hears it still finds it writing.
type telling struct {
	blob.Store
	at int64
}

func (s telling) Put(ctx context.Context, r io.Reader, limit int64) (blob.Info, error) {
	info, err := s.Store.Put(ctx, io.MultiReader(io.LimitReader(r, s.at), saying{}, trickle{r}), limit)
	fmt.Println("written")
	return info, err
}

// trickle reads a little at a time.
type trickle struct{ io.Reader }

func (r trickle) Read(p []byte) (int, error) { return r.Reader.Read(p[:min(len(p), 256)]) }

type saying struct{}

func (saying) Read([]byte) (int, error) {
	fmt.Println("writing")
	return 0, io.EOF
}
