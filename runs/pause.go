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
	if err == nil && r.Status.Final() {
		err = errtypes.New(errtypes.Conflict, "run %s ended before it could be paused: it is %s", id, r.Status)
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
	switch r.pause {
	case pauseRequested:
		_, end := x.waitForPerson("")
		if end != nil {
			return end
		}
		return x.handBack()
	case resuming: // it was given back before it was taken
		return x.handBack()
	}
	return nil
}

func (x *activeRun) latest() (r row, err error) {
	err = x.conf.DB.Read(x.ctx, func(ctx context.Context, q storage.Querier) error {
		r, err = findRow(ctx, q, x.ID)
		return err
	})
	return r, err
}

// waitForPerson pauses the run until somebody resumes it. Its time stands still
// meanwhile, for at most MaxPause.
func (x *activeRun) waitForPerson(question string) (asked bool, end *ending) {
	if err := x.markPaused(question); err != nil {
		return false, x.sayFailed(err)
	}
	defer x.suspend()()
	defer x.inPrivate()()
	over := x.conf.Clock.AfterFunc(x.limits.MaxPause, func() { x.cancel(errPauseOver) })
	defer over.Stop()
	err := x.executor.Follow(x.ctx, x.ID, func() (bool, error) {
		r, err := x.latest()
		return err == nil && r.pause == resuming, err
	})
	if err != nil {
		return false, x.sayFailed(err)
	}
	return true, nil
}

// inPrivate keeps what the person does out of the session's log and recording
// until end is called, and what was typed out of everything after that.
func (x *activeRun) inPrivate() (end func()) {
	s, ok := x.session.(interface{ Private() func() []string })
	if !ok {
		return func() {}
	}
	over := s.Private()
	return func() {
		for _, text := range over() {
			x.typed++
			x.vault.Learn(fmt.Sprintf("typed_by_a_person_%d", x.typed), text)
		}
	}
}

func (x *activeRun) markPaused(question string) error {
	return x.conf.DB.Write(x.ctx, func(ctx context.Context, tx *storage.Tx) error {
		x.executor.Changed(tx, x.ID)
		return setPause(ctx, tx, x.ID, paused, question, x.now())
	})
}

// note takes what the person has to say, and with it the run.
func (x *activeRun) note() (note string, err error) {
	err = x.conf.DB.Write(x.ctx, func(ctx context.Context, tx *storage.Tx) error {
		r, err := findRow(ctx, tx, x.ID)
		if err != nil {
			return err
		}
		note = r.pauseText
		x.executor.Changed(tx, x.ID)
		return setPause(ctx, tx, x.ID, notPaused, "", x.now())
	})
	return x.clean(note), err
}

// takeOverName names the call that stands for what a person did. No model makes
// it.
const takeOverName = "take_over"

// handBack tells the agent what a person did who had the run: in the messages as a
// call and its result, with the page as it is now, and towards the model, which
// made no such call, in words of the user. Those have nothing of the page in them:
// the model looks for itself.
func (x *activeRun) handBack() *ending {
	note, err := x.note()
	if err != nil {
		return x.sayFailed(err)
	}
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
	if _, end := x.waitForPerson(x.clean(question)); end != nil {
		return model.ErrorOutput(notAnswered(*end)), end
	}
	note, err := x.note()
	if err != nil {
		end := x.sayFailed(err)
		return model.ErrorOutput(notAnswered(*end)), end
	}
	return model.TextOutput(x.personSaid("The person has answered.", note)), nil
}
