package mdtest

import "testing"

func TestFaults(t *testing.T) {
	for md, want := range map[string]int{
		"a [b](https://e.org/) ![c](https://e.org/d)": 0,
		"[b](/c)": 1, "![b](c.png)": 1, "[b](javascript:x)": 1, "[b](#c)": 1,
		"```\na\n```":                         0,
		"```\na\n":                            1,
		"````\na\n```\nb\n````":               0,
		"- ```\n  a\n  ```\n- b":              0,
		"- ```\n  a\n- b":                     1,
		"> ```\n> a\n> ```\n\nb":              0,
		"> ```\n> a\n\nb\n":                   1,
		"> - x\n>\n>   ```go\n>   a\n>   ```": 0,
		"`[a](/b)`":                           0,
	} {
		if got := Faults(md); len(got) != want {
			t.Errorf("%q: %q", md, got)
		}
	}
}
