package openai_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/runs/model/internal/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestTheMatrixOfChatCompletions(t *testing.T) { providertest.Run(t, chat()) }

func TestTheMatrixOfResponses(t *testing.T) { providertest.Run(t, responses()) }
