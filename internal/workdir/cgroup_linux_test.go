package workdir

import (
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
		"no limit":          {v2, map[string]string{"a/b/memory.max": "max\n"}, unlimited},
		"no groups":         {"", nil, unlimited},
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
			if got := groupRoom(filepath.Join(mount, "groups"), mount); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
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
