package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestTheRoomInControlGroups(t *testing.T) {
	const v2, v1 = "0::/a/b\n", "5:cpu,memory:/x/y\n4:cpu:/z\n0::/\n"
	for name, test := range map[string]struct {
		groups string
		files  map[string]string
		want   int64
	}{
		"no limit":          {v2, map[string]string{"a/b/memory.max": "max\n"}, Unlimited},
		"no groups":         {"", nil, Unlimited},
		"a limit":           {v2, map[string]string{"a/b/memory.max": "1000\n", "a/b/memory.current": "300\n"}, 700},
		"files of disks":    {v2, map[string]string{"a/b/memory.max": "1000", "a/b/memory.current": "900", "a/b/memory.stat": "anon 100\ninactive_file 600\n"}, 700},
		"a limit above":     {v2, map[string]string{"a/b/memory.max": "1000", "a/memory.max": "500", "a/memory.current": "450"}, 50},
		"in a container":    {"0::/../../out\n", map[string]string{"memory.max": "80", "memory.current": "20"}, 60},
		"over the limit":    {v2, map[string]string{"a/b/memory.max": "100", "a/b/memory.current": "300"}, 0},
		"version 1":         {v1, map[string]string{"memory/x/y/memory.limit_in_bytes": "100", "memory/x/y/memory.usage_in_bytes": "30"}, 70},
		"1 in a container":  {v1, map[string]string{"memory/memory.limit_in_bytes": "100", "memory/memory.usage_in_bytes": "30", "memory/memory.stat": "total_inactive_file 10\n"}, 80},
		"1 without a limit": {v1, map[string]string{"memory/memory.limit_in_bytes": "9223372036854771712", "memory/memory.usage_in_bytes": "0"}, 9223372036854771712},
	} {
		t.Run(name, func(t *testing.T) {
			mount := t.TempDir()
			test.files = merge(test.files, map[string]string{"groups": test.groups})
			for file, content := range test.files {
				write(t, filepath.Join(mount, file), content)
			}
			if got := leastOf(filepath.Join(mount, "groups"), mount, accounts.roomOf); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}

// The limit is what the groups allow, whatever has been used of it.
func TestTheLimitOfControlGroups(t *testing.T) {
	mount := t.TempDir()
	write(t, filepath.Join(mount, "groups"), "0::/a/b\n")
	write(t, filepath.Join(mount, "a/b/memory.max"), "1000\n")
	write(t, filepath.Join(mount, "a/b/memory.current"), "999\n")
	write(t, filepath.Join(mount, "a/memory.max"), "800\n")
	if got := leastOf(filepath.Join(mount, "groups"), mount, accounts.limitOf); got != 800 {
		t.Errorf("%d, want 800", got)
	}
}

func TestTheMemoryOfThisMachine(t *testing.T) {
	if got := Memory(); got < 64<<20 || got > physicalMemory() || physicalMemory() == Unlimited {
		t.Errorf("%d bytes, of %d", got, physicalMemory())
	}
}

func TestTheOwnControlGroup(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mount/x/y/cgroup.procs"), "")
	mounts := "30 20 0:5 / /proc rw - proc proc rw\n41 31 0:38 %s " + filepath.Join(dir, "mount") + " rw,relatime shared:4 - cgroup2 cgroup2 rw\n"
	for name, test := range map[string]struct{ groups, root, want string }{
		"the whole tree is mounted": {"4:memory:/else\n0::/x/y\n", "/", "mount/x/y"},
		"a part of the tree":        {"0::/above/x/y\n", "/above", "mount/x/y"},
		"another part":              {"0::/x/y\n", "/above", ""},
		"version 1 only":            {"4:memory:/x/y\n", "/", ""},
		"a group that is not seen":  {"0::/none\n", "/", ""},
	} {
		t.Run(name, func(t *testing.T) {
			at := t.TempDir()
			write(t, filepath.Join(at, "groups"), test.groups)
			write(t, filepath.Join(at, "mounts"), fmt.Sprintf(mounts, test.root))
			got, ok := groupOf(filepath.Join(at, "groups"), filepath.Join(at, "mounts"))
			if ok != (test.want != "") || ok && got != filepath.Join(dir, test.want) {
				t.Errorf("%q, %t", got, ok)
			}
		})
	}
}

func merge(a, b map[string]string) map[string]string {
	for k, v := range a {
		b[k] = v
	}
	return b
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
