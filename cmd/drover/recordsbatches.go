package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
)

// pushing is a push to a store.
type pushing struct {
	api   *apiClient
	store storeState
	console
	skip int64
}

// Sizes of a batch, which is stored whole or not at all. The service takes 9 MB, and 25
// requests.
const (
	batchBytes    = 1 << 20
	batchItems    = 5000
	batchRequests = 25
)

// items pushes items to a dataset, and returns how many.
func (p pushing) items(ctx context.Context, v *values) (int64, error) {
	return p.batches(v, batchItems, "items", func(body []byte) error {
		return p.api.post(ctx, "POST", p.store.path("/items"), "application/json", body, nil)
	})
}

// requests adds requests to a queue, and returns how many.
func (p pushing) requests(ctx context.Context, v *values, forefront bool) (int64, error) {
	path := p.store.path("/requests/batch")
	if forefront {
		path += "?forefront=1"
	}
	return p.batches(v, batchRequests, "requests", func(body []byte) error {
		return p.api.post(ctx, "POST", path, "application/json", body, nil)
	})
}

// batches sends what there is in batches, and returns how much the service has.
func (p pushing) batches(v *values, most int, what string, send func([]byte) error) (sent int64, err error) {
	for range p.skip {
		if _, err := v.next(); err != nil {
			return 0, orNothing(err)
		}
	}
	progress := newProgress(p.stderr)
	defer progress.done()
	for {
		body, n, err := batch(v, most)
		if err == nil && n > 0 {
			err = send(body)
		}
		if err != nil {
			return sent, p.stopped(err, sent, n, what)
		}
		if n == 0 {
			return sent, nil
		}
		sent += int64(n)
		progress.say(fmt.Sprintf("%d %s", sent, what))
	}
}

// batch reads the next batch: an array, and how many are in it.
func batch(v *values, most int) (body []byte, n int, err error) {
	var b bytes.Buffer
	for b.WriteByte('['); n < most && b.Len() < batchBytes; n++ {
		raw, err := v.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, 0, err
		}
		if n > 0 {
			b.WriteByte(',')
		}
		b.Write(raw)
	}
	b.WriteByte(']')
	return b.Bytes(), n, nil
}

// stopped says what the service has when a push fails in the middle.
func (p pushing) stopped(err error, sent int64, n int, what string) error {
	behind := p.skip + sent
	refused, isRefused := errors.AsType[*answerError](err)
	text, next := diagnose(err), ""
	if isRefused && refused.item > 0 {
		text = fmt.Sprintf("item %d: %s", behind+int64(refused.item), text)
	}
	if n > 0 && (!isRefused || refused.status >= http.StatusInternalServerError) {
		next = fmt.Sprintf("; whether the next %d were, is not known", n)
	}
	if behind > 0 {
		next += fmt.Sprintf("; --skip %d goes on behind them", behind)
	}
	return fmt.Errorf("%s; %d %s were acknowledged%s", text, sent, what, next)
}

func orNothing(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// put stores a record, as it is read.
func (cmd recordsPushCmd) put(ctx context.Context, api *apiClient, s storeState, in io.Reader) error {
	head := make([]byte, 512)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	head = head[:n]
	kind := cmp.Or(cmd.ContentType, mime.TypeByExtension(filepath.Ext(cmd.File)), sniffed(head))
	resp, err := api.exchange(ctx, "PUT", s.path("/records/"+url.PathEscape(cmd.Record)), kind, io.MultiReader(bytes.NewReader(head), in))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return decodeAnswer(resp, nil)
}

// sniffed is the media type that a text looks like.
func sniffed(head []byte) string {
	if start := bytes.TrimSpace(head); len(start) > 0 && (start[0] == '{' || start[0] == '[') && (len(head) == 512 || json.Valid(start)) {
		return "application/json; charset=utf-8"
	}
	return http.DetectContentType(head)
}
