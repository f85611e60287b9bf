package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

func TestServeRefusesARequestWithTwoEnds(t *testing.T) {
	t.Parallel()
	s := startServer(t, nil, "--data", t.TempDir())
	c, err := net.Dial("tcp", strings.TrimPrefix(s.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	in := bufio.NewReader(c)
	res, err := http.ReadResponse(in, nil)
	if err != nil || res.StatusCode != http.StatusBadRequest {
		t.Fatalf("%v, %v", res, err)
	}
	if rest, err := io.ReadAll(res.Body); err != nil || strings.Contains(string(rest), "HTTP/1.1") {
		t.Errorf("the connection goes on: %q, %v", rest, err)
	}
	if code, _ := s.stop(syscall.SIGTERM); code != 0 {
		t.Errorf("exit status %d\n%s", code, s.log)
	}
}
