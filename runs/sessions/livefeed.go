package sessions

import "slices"

// A feed tells a viewer what happens in a session, in words: what is logged, and
// the steps of an agent.
type feed struct {
	narrator Narrator
	logged   int64 // number of the entry of the log that is told next
	stepped  int
	begun    bool
}

// next returns what has happened since it was called last.
func (f *feed) next(l *live) []lineJSON {
	var lines []Line
	for e, err := range l.conf.Logs.Entries(l.ctx, logOf(l.row).ID(), f.logged) {
		if err != nil { // there is none, or the session ends
			break
		}
		f.logged = e.Seq + 1
		if line, ok := f.narrator.Log(logEntry(l.ID, e)); ok {
			lines = append(lines, line)
		}
	}
	steps := l.rec.stepsSince(f.stepped)
	f.stepped += len(steps)
	for _, e := range steps {
		if line, ok := f.narrator.Recording(e); ok {
			lines = append(lines, line)
		}
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return a.Time.Compare(b.Time) })
	if !f.begun {
		lines = lines[max(0, len(lines)-liveLines):]
	}
	f.begun = true
	out := make([]lineJSON, len(lines))
	for i, line := range lines {
		line.Text = l.clean(line.Text) // words that stood apart are beside each other now
		out[i] = line.json()
	}
	return out
}
