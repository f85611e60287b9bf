package chrome_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"github.com/coder/websocket"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func TestPlain(t *testing.T) {
	dir, _ := os.MkdirTemp("", "pl")
	defer os.RemoveAll(dir)
	cmd := exec.Command("/usr/bin/chromium", "--headless", "--no-sandbox", "--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	e, _ := cmd.StderrPipe()
	cmd.Start()
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	sc := bufio.NewScanner(e)
	var u string
	for sc.Scan() {
		if i := strings.Index(sc.Text(), "ws://"); i >= 0 {
			u = sc.Text()[i:]
			break
		}
	}
	go func() {
		for sc.Scan() {
		}
	}()
	c, _, err := websocket.Dial(context.Background(), u, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.SetReadLimit(1 << 26)
	out := make(chan string, 1000)
	go func() {
		for {
			_, d, err := c.Read(context.Background())
			if err != nil {
				return
			}
			out <- string(d)
		}
	}()
	id := 0
	send := func(s, m, p string) string {
		id++
		f := fmt.Sprintf(`{"id":%d,"method":"%s","params":%s`, id, m, p)
		if s != "" {
			f += `,"sessionId":"` + s + `"`
		}
		f += "}"
		fmt.Println(">>", f)
		c.Write(context.Background(), websocket.MessageText, []byte(f))
		for {
			select {
			case x := <-out:
				fmt.Printf("<< %.420s\n", x)
				if strings.HasPrefix(x, fmt.Sprintf(`{"id":%d,`, id)) {
					return x
				}
			case <-time.After(5 * time.Second):
				fmt.Println("timeout")
				return ""
			}
		}
	}
	get := func(x, k string) string {
		var m struct{ Result map[string]any }
		json.Unmarshal([]byte(x), &m)
		s, _ := m.Result[k].(string)
		return s
	}
	send("", "Target.setAutoAttach", `{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true,"filter":[{"type":"page"},{"exclude":true}]}`)
	send("", "Target.setAutoAttach", `{"autoAttach":false,"waitForDebuggerOnStart":true,"flatten":true}`)
	tid := get(send("", "Target.createTarget", `{"url":"about:blank"}`), "targetId")
	send("", "Target.setAutoAttach", `{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true,"filter":[{"type":"page"},{"exclude":true}]}`)
	sid := get(send("", "Target.attachToTarget", `{"targetId":"`+tid+`","flatten":true}`), "sessionId")
	send(sid, "Runtime.runIfWaitingForDebugger", `{}`)
	send(sid, "Page.navigate", `{"url":"data:text/html,<a id=a target=_blank href='data:text/html,x'>o</a>"}`)
	time.Sleep(300 * time.Millisecond)
	fmt.Println("--------")
	for _, js := range []string{"a.rel='noopener',a.click()", "a.rel='opener',a.click()", "window.open('about:blank')"} {
		c.Write(context.Background(), websocket.MessageText, []byte(`{"id":99999,"method":"Runtime.evaluate","params":{"expression":"`+js+`","userGesture":true},"sessionId":"`+sid+`"}`))
		var pid, raw string
		deadline := time.After(3 * time.Second)
	loop:
		for {
			select {
			case x := <-out:
				fmt.Printf("<< %.300s\n", x)
				if strings.HasPrefix(x, `{"method":"Target.attachedToTarget`) {
					var m struct {
						Params struct {
							SessionID  string
							TargetInfo struct{ TargetID string }
						}
					}
					json.Unmarshal([]byte(x), &m)
					pid = m.Params.TargetInfo.TargetID
					raw = m.Params.SessionID
					break loop
				}
			case <-deadline:
				break loop
			}
		}
		ps := get(send("", "Target.attachToTarget", `{"targetId":"`+pid+`","flatten":true}`), "sessionId")
		for _, m := range []string{"Runtime.enable", "Runtime.evaluate", "Log.enable", "Network.enable", "Inspector.enable", "Page.enable", "DOM.enable", "CSS.enable", "Target.setDiscoverTargets", "Target.setAutoAttach", "Page.setLifecycleEventsEnabled", "Page.getFrameTree", "Page.setInterceptFileChooserDialog", "Emulation.setDeviceMetricsOverride"} {
			p := "{}"
			switch m {
			case "Runtime.evaluate":
				p = `{"expression":"self"}`
			case "Target.setDiscoverTargets":
				p = `{"discover":true}`
			case "Target.setAutoAttach":
				p = `{"autoAttach":true,"flatten":true,"waitForDebuggerOnStart":false}`
			case "Page.setLifecycleEventsEnabled":
				p = `{"enabled":true}`
			case "Page.setInterceptFileChooserDialog":
				p = `{"enabled":true}`
			case "Emulation.setDeviceMetricsOverride":
				p = `{"width":500,"height":400,"deviceScaleFactor":1,"mobile":false}`
			}
			b := time.Now()
			send(ps, m, p)
			fmt.Println(m, time.Since(b))
		}
		send(raw, "Runtime.runIfWaitingForDebugger", "{}")
		fmt.Println("--------")
	}
}
