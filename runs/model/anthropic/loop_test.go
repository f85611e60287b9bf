package anthropic_test

import (
	"testing"

	"github.com/drover-go/drover/runs/model/internal/looptest"
)

func TestWholeRunsOverMessages(t *testing.T) { looptest.Run(t, wire()) }
