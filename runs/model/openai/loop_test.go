package openai_test

import (
	"testing"

	"github.com/drover-go/drover/runs/model/internal/looptest"
)

func TestWholeRunsOverChatCompletions(t *testing.T) {
	t.Parallel()
	looptest.Run(t, chat())
}

func TestWholeRunsOverResponses(t *testing.T) {
	t.Parallel()
	looptest.Run(t, responses())
}
