package main

import "testing"

func TestUses(t *testing.T) {
	for source, want := range map[string]string{
		`func f() { go f() }`:                                              "go",
		`var c = make(chan int)`:                                           "chan",
		`func f(c <-chan int)`:                                             "chan",
		`import "sync"; var mu sync.Mutex`:                                 "sync.Mutex",
		`import s "sync"; var wg s.WaitGroup`:                              "s.WaitGroup",
		`import "sync"; var pool = sync.Pool{}`:                            "",
		`import "sync"; var one = sync.OnceValue(func() int { return 1 })`: "",
		`import "sync/atomic"; var n atomic.Int64`:                         "atomic.Int64",
		`import "time"; var at = time.Now`:                                 "",
		`import "time"; var stop = time.AfterFunc(0, nil)`:                 "time.AfterFunc",
		`import "example.com/sync"; var mu sync.Mutex`:                     "",
		`// go f()
var text = "go f()"`: "",
	} {
		got, err := uses("x.go", []byte("package p; "+source))
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", source, got, err, want)
		}
	}
	for source, want := range map[string]string{
		`func f() { go f() }`:                              "go",
		`var c chan int`:                                   "chan",
		`import "sync"; var mu sync.Mutex`:                 "",
		`import "sync"; var wg sync.WaitGroup`:             "sync.WaitGroup",
		`import "sync/atomic"; var n atomic.Int64`:         "",
		`import "testing/synctest"; var f = synctest.Test`: "synctest.Test",
	} {
		got, err := uses("x_test.go", []byte("package p; "+source))
		if err != nil || got != want {
			t.Errorf("a test, %s: %q, %v; want %q", source, got, err, want)
		}
	}
	if _, err := uses("x.go", []byte("package")); err == nil {
		t.Error("a file that is no Go is taken")
	}
}
