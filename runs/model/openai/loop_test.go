package openai_test

import (
	"testing"

	"github.com/drover-go/drover/runs/model/internal/looptest"
)

func TestWholeRunsOverChatCompletions(t *testing.T) { looptest.Run(t, chat()) }

func TestWholeRunsOverResponses(t *testing.T) { looptest.Run(t, responses()) }
