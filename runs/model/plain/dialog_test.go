package plain

import (
	"fmt"
	"testing"
)

func TestAnswersToDialogsAreSteps(t *testing.T) {
	t.Parallel()
	for task, want := range map[string]string{
		`Click "Delete" and accept the dialog.`:                           `click <'Delete'> | accept ""`,
		`Click "Delete", dismiss the confirmation.`:                       `click <'Delete'> | dismiss ""`,
		`Click "Delete". Then cancel the confirm dialog.`:                 `click <'Delete'> | dismiss ""`,
		"Click \"Name\"\nanswer the prompt with \"Ann Lee\"":              `click <'Name'> | accept "Ann Lee"`,
		`Click "Name" then answer the dialog with %name%`:                 `click <'Name'> | accept "%name%"`,
		`accept the alert box`:                                            `accept ""`,
		`Click "Name", accept the prompt with "x", and click "Go"`:        `click <'Name'> | accept "x" | click <'Go'>`,
		`Open https://a.example/, reject the browser dialog, click "Go".`: `open https://a.example/ | dismiss "" | click <'Go'>`,
	} {
		steps, err := parse(task)
		if err != nil {
			t.Errorf("%s: %v", task, err)
			continue
		}
		var got string
		for i, s := range steps {
			if i > 0 {
				got += " | "
			}
			if s.verb != dialogVerb {
				got += s.brief()
				continue
			}
			how := "dismiss"
			if s.input.is("accept") {
				how = "accept"
			}
			got += fmt.Sprintf("%s %q", how, s.input.text("text"))
		}
		if got != want {
			t.Errorf("%s: %s, want %s", task, got, want)
		}
	}
	for _, task := range []string{
		`Answer the dialog`, `Dismiss the dialog with "x"`, `Accept the dialog if it is about money`, `Accept the cookies`, `Accept`, `Answer the prompt with something nice`,
	} {
		if steps, err := parse(task); err == nil {
			t.Errorf("%s: %s", task, brief(steps))
		}
	}
}
