package conformance

import (
	"flag"
	"io"
	"log"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata")

// quiet is for servers whose clients break off on purpose.
var quiet = log.New(io.Discard, "", 0)

func TestMain(m *testing.M) {
	flag.Parse()
	openapi3filter.RegisterBodyDecoder("text/event-stream", openapi3filter.PlainBodyDecoder)
	goleak.VerifyTestMain(m)
}
