package joblog

import "log/slog"

// Logger returns a logger whose lines become entries of the log, of the stream
// [Stdout].
func (l *Log) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(writer{l}, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: withoutTime}))
}

// withoutTime leaves out what each entry of a log has by itself.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// writer makes an entry of each write, which is a line of a logger.
type writer struct{ log *Log }

func (w writer) Write(p []byte) (int, error) {
	w.log.Append(Stdout, string(p))
	return len(p), nil
}
