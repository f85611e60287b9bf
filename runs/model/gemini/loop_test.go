package gemini_test

import (
	"testing"

	"github.com/drover-go/drover/runs/model/internal/looptest"
)

func TestWholeRunsOverGenerateContent(t *testing.T) { looptest.Run(t, wire()) }
