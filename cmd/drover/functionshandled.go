package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// handled sends requests to a handler in this process.
type handled struct{ http.Handler }

// RoundTrip returns when the handler begins its answer, which is read while it is
// written. The handler has ended when the body has been closed.
func (h handled) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	r = r.WithContext(ctx)
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.RequestURI, r.RemoteAddr, r.Host = r.URL.RequestURI(), "127.0.0.1:0", r.URL.Host
	body, to := io.Pipe()
	w := &answered{header: http.Header{}, body: to, begun: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer r.Body.Close()
		h.serve(w, r)
	}()
	<-w.begun
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: &answerBody{body, cancel, ended}, ContentLength: -1, Request: r,
	}, nil
}

// serve ends the answer as a server would: cut off where the handler says so.
func (h handled) serve(w *answered, r *http.Request) {
	err := io.ErrUnexpectedEOF
	defer func() {
		w.WriteHeader(http.StatusInternalServerError)
		w.body.CloseWithError(err)
		if cause := recover(); cause != nil && !isAbort(cause) {
			panic(cause)
		}
	}()
	h.ServeHTTP(w, r)
	w.WriteHeader(http.StatusOK)
	err = nil
}

func isAbort(cause any) bool {
	err, ok := cause.(error)
	return ok && errors.Is(err, http.ErrAbortHandler)
}

// answerBody is the body of an answer of this process.
type answerBody struct {
	*io.PipeReader
	cancel context.CancelFunc
	ended  <-chan struct{}
}

// Close waits for the handler, so that nothing of it goes on behind it.
func (b *answerBody) Close() error {
	err := b.PipeReader.Close()
	b.cancel()
	<-b.ended
	return err
}

// answered is an answer that is being written.
type answered struct {
	header, sent http.Header
	status       int
	body         *io.PipeWriter
	once         sync.Once
	begun        chan struct{}
}

func (a *answered) Header() http.Header { return a.header }

func (a *answered) WriteHeader(status int) {
	if status < http.StatusOK {
		return
	}
	a.once.Do(func() {
		a.status, a.sent = status, a.header.Clone()
		close(a.begun)
	})
}

func (a *answered) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// Flush has nothing to do: what is written is there to be read.
func (a *answered) Flush() { a.WriteHeader(http.StatusOK) }
