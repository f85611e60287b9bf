package runs

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/storage"
)

// pauseState is how far it has come that a person takes over a run. The worker
// alone makes a run paused, and running again; who asks for it only says so in
// the row, so that any process can.
type pauseState string

const (
	notPaused      pauseState = ""
	pauseRequested pauseState = "requested" // after the step under way
	paused         pauseState = "paused"
	resuming       pauseState = "resuming" // the worker is to go on
)

// shown is what the caller sees of it.
func (p pauseState) shown(s Status, text string) *Pause {
	switch {
	case s.Final():
		return nil
	case p == pauseRequested:
		return &Pause{Requested: true}
	case p == paused:
		return &Pause{Question: text}
	}
	return nil
}

// maxNote is the longest note to an agent, in bytes.
const maxNote = 10_000

// Pause implements [Service].
func (s *service) Pause(ctx context.Context, id string) (r Run, err error) {
	defer errtypes.Wrap(&err, "runs.Pause(%q)", id)
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Run{}, err
	}
	if _, err := s.changePause(ctx, project.ID, id, func(ctx context.Context, q storage.Querier, now time.Time) (row, error) {
		return requestPause(ctx, q, project.ID, id, now)
	}); err != nil {
		return Run{}, err
	}
	err = s.executor.Follow(ctx, id, func() (done bool, err error) {
		r, err = s.Get(ctx, id)
		return err == nil && (r.Status.Final() || r.Pause == nil || !r.Pause.Requested), err
	})
	switch {
	case err != nil:
	case r.Status.Final():
		err = errtypes.New(errtypes.Conflict, "run %s ended before it could be paused: it is %s", id, r.Status)
	case r.Pause == nil:
		err = errtypes.New(errtypes.Conflict, "run %s was resumed before its pause could be seen", id)
	}
	return r, err
}

// Resume implements [Service].
func (s *service) Resume(ctx context.Context, id, note string) (_ Run, err error) {
	defer errtypes.Wrap(&err, "runs.Resume(%q)", id)
	if len(note) > maxNote || !utf8.ValidString(note) {
		return Run{}, errtypes.Field("note", "must be at most %d bytes of valid UTF-8", maxNote)
	}
	project, err := s.conf.Callers.Current(ctx)
	if err != nil {
		return Run{}, err
	}
	if held, ok := s.values(id); ok { // before it is written down
		note = held.vault.Redact(note)
	}
	r, err := s.changePause(ctx, project.ID, id, func(ctx context.Context, q storage.Querier, now time.Time) (row, error) {
		return requestResume(ctx, q, project.ID, id, note, now)
	})
	return r.Run, err
}

// changePause writes what is wanted of a run. What cannot be is explained by the
// run as it is.
func (s *service) changePause(ctx context.Context, projectID, id string, change func(context.Context, storage.Querier, time.Time) (row, error)) (r row, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		s.executor.Changed(tx, id)
		if r, err = change(ctx, tx, s.now()); !errors.Is(err, storage.ErrNoRow) {
			return err
		}
		known, err := findRun(ctx, tx, projectID, id)
		if err != nil {
			return orNotFound(err, id)
		}
		if known.Status != Running {
			return errtypes.New(errtypes.Conflict, "run %s does not run: it is %s", id, known.Status)
		}
		return errtypes.New(errtypes.Conflict, "run %s is not paused", id)
	})
	return r, err
}

// errPauseOver is that a person kept the run too long.
var errPauseOver = errors.New("runs: a person kept the run for too long")

// breathe is between two steps: if a person has asked for the run, it waits until
// that person gives it back.
func (x *activeRun) breathe() *ending {
	if x.unstored {
		return nil
	}
	r, err := x.latest()
	if err != nil {
		return x.sayFailed(err)
	}
	if r.pause == notPaused {
		return nil
	}
	note, end := x.waitForPerson(false, "")
	if end != nil {
		return end
	}
	return x.handBack(note)
}

func (x *activeRun) latest() (r row, err error) {
	err = x.conf.DB.Read(x.ctx, func(ctx context.Context, q storage.Querier) error {
		r, err = findRow(ctx, q, x.ID)
		return err
	})
	return r, err
}

// waitForPerson pauses the run until somebody resumes it, and returns what they
// say. Its time stands still meanwhile, for at most MaxPause in all pauses of the
// run: its session lasts no longer.
func (x *activeRun) waitForPerson(asks bool, question string) (note string, end *ending) {
	if x.options.SessionID != "" { // it may be seen before the run has used it
		if _, err := x.open(); err != nil {
			_, _, end = x.noBrowser(err, "the session cannot be used")
			return "", end
		}
	}
	defer x.suspend()()
	defer x.boundPause()()
	private := x.inPrivate()
	note, err := x.untilResumed(asks, question)
	private()
	if err != nil {
		return "", x.sayFailed(err)
	}
	return x.clean(note), nil
}

// boundPause ends the run when its pauses have taken MaxPause together.
func (x *activeRun) boundPause() (stop func()) {
	began := x.conf.Clock.Now()
	over := x.conf.Clock.AfterFunc(max(x.limits.MaxPause-x.kept, 0), func() { x.cancel(errPauseOver) })
	return func() {
		over.Stop()
		x.kept += x.conf.Clock.Now().Sub(began)
	}
}

// untilResumed waits for a resume that no other pause has followed, and takes the
// notes of all.
func (x *activeRun) untilResumed(asks bool, question string) (notes string, err error) {
	for {
		was, err := x.answerPause(asks, question)
		if err != nil {
			return "", err
		}
		notes = joinNotes(notes, was.note())
		if !asks && (was.pause == resuming || was.pause == notPaused) {
			return notes, nil
		}
		asks = false
		err = x.executor.Follow(x.ctx, x.ID, func() (bool, error) {
			r, err := x.latest()
			return err == nil && r.pause != paused, err
		})
		if err != nil {
			return "", err
		}
	}
}

// note is what a person said who gave the run back, until the worker takes it.
func (r row) note() string {
	if r.pause == resuming || r.pause == pauseRequested {
		return r.pauseText
	}
	return ""
}

func joinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// answerPause does what is asked for in the row, and returns the row as it was. It
// looks again when somebody else was faster.
func (x *activeRun) answerPause(asks bool, question string) (was row, err error) {
	for {
		err = x.conf.DB.Write(x.ctx, func(ctx context.Context, tx *storage.Tx) error {
			if was, err = findRow(ctx, tx, x.ID); err != nil {
				return err
			}
			if was.Status != Running {
				return fmt.Errorf("runs: it is %s", was.Status)
			}
			x.executor.Changed(tx, x.ID)
			switch {
			case asks:
				return swapPause(ctx, tx, was, paused, question, x.now())
			case was.pause == pauseRequested:
				return swapPause(ctx, tx, was, paused, "", x.now())
			case was.pause == resuming:
				return swapPause(ctx, tx, was, notPaused, "", x.now())
			}
			return nil
		})
		if !errors.Is(err, storage.ErrNoRow) {
			return was, err
		}
	}
}

// inPrivate keeps what the person does out of the session's log and recording
// until end is called, and what was typed out of everything after that.
func (x *activeRun) inPrivate() (end func()) {
	s, ok := x.session.(interface {
		Private() func(learn func(typed string))
	})
	if !ok {
		return func() {}
	}
	over := s.Private()
	return func() {
		over(func(text string) {
			x.typed++
			x.vault.Learn(fmt.Sprintf("typed_by_a_person_%d", x.typed), text)
		})
	}
}

// takeOverName names the call that stands for what a person did. No model makes
// it.
const takeOverName = "take_over"

// handBack tells the agent what a person did who had the run: in the messages as a
// call and its result, with the page as it is now, and towards the model, which
// made no such call, in words of the user. Those have nothing of the page in them:
// the model looks for itself.
func (x *activeRun) handBack(note string) *ending {
	const begin = "A person has used the browser meanwhile."
	call := model.Call(fmt.Sprintf("take_over_%d", len(x.said.turns)+1), takeOverName, nil)
	for _, m := range []model.Message{
		{Role: model.Assistant, Content: []model.Part{call}},
		{Role: model.ToolRole, Content: []model.Part{model.Result(call, model.TextOutput(x.personSaid(begin, note)))}},
	} {
		if err := x.store(m); err != nil {
			return x.sayFailed(err)
		}
	}
	x.said.hint(withNote(begin, note) + " Look at the page before you go on: it may be another one.")
	return nil
}

func withNote(begin, note string) string {
	if note == "" {
		return begin
	}
	return begin + " They say: " + note
}

// personSaid is what became of a pause: the note, and the page as it is now.
func (x *activeRun) personSaid(begin, note string) string {
	text := withNote(begin, note)
	if x.session == nil {
		return text
	}
	return text + "\n" + x.tools.Look(x.ctx).Text()
}

// askHuman answers the call with which the agent asks a person.
func (x *activeRun) askHuman(question string) (model.Output, *ending) {
	note, end := x.waitForPerson(true, x.clean(question))
	if end != nil {
		return model.ErrorOutput(notAnswered(*end)), end
	}
	return model.TextOutput(x.personSaid("The person has answered.", note)), nil
}
