package main

import (
	"bytes"
	"io"
	"net/http"
)

// handled sends requests to a handler in this process.
type handled struct{ http.Handler }

// RoundTrip returns when the handler does.
func (h handled) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer r.Body.Close()
	r.RequestURI, r.RemoteAddr, r.Host = r.URL.RequestURI(), "127.0.0.1:0", r.URL.Host
	w := &answered{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(w, r)
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// answered is an answer that is kept.
type answered struct {
	header  http.Header
	status  int
	written bool
	body    bytes.Buffer
}

func (a *answered) Header() http.Header { return a.header }

func (a *answered) WriteHeader(status int) {
	if !a.written && status >= http.StatusOK {
		a.status, a.written = status, true
	}
}

func (a *answered) Write(b []byte) (int, error) {
	a.written = true
	return a.body.Write(b)
}
