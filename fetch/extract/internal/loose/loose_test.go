package loose

import (
	"encoding/json"
	"strings"
	"testing"
)

// show writes a value as JSON with sorted-out order: that of the text.
func show(v Value) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

func write(b *strings.Builder, v Value) {
	switch v.Kind {
	case Null:
		b.WriteString("null")
	case Bool, Number:
		b.WriteString(v.Text)
	case String:
		text, _ := json.Marshal(v.Text)
		b.Write(text)
	case Array:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item)
		}
		b.WriteByte(']')
	case Object:
		b.WriteByte('{')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			name, _ := json.Marshal(item.Name)
			b.Write(name)
			b.WriteByte(':')
			write(b, item)
		}
		b.WriteByte('}')
	}
}

func showAll(values []Value) string {
	var out []string
	for _, v := range values {
		out = append(out, show(v))
	}
	return strings.Join(out, " ")
}

func TestBrokenKinds(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"valid", ` {"a": [1, -2.5e3, true, false, null, "x\n\u00e4\ud83d\ude00"]} `, `{"a":[1,-2.5e3,true,false,null,"x\nä😀"]}`},
		{"comments", "/* x */{// one\n\"a\":1, /* two */ \"b\":\"http://x\"} // end", `{"a":1,"b":"http://x"}`},
		{"CDATA", "//<![CDATA[\n{\"a\":1}\n//]]>", `{"a":1}`},
		{"CDATA on a line", "//<![CDATA[ {\"a\":1} //]]>", `{"a":1}`},
		{"CDATA in a comment", "/*<![CDATA[*/{\"a\":1}/*]]>*/", `{"a":1}`},
		{"HTML comment", "<!-- {\"a\":1} -->", `{"a":1}`},
		{"HTML comment within", `{"a":1, <!-- "b":2 --> "c":3}`, `{"a":1,"b":2,"c":3}`},
		{"script tags", `<script type="application/ld+json">{"a":1}</script>`, `{"a":1}`},
		{"commas", `{,"a":[1,,2,],"b":3,},`, `{"a":[1,2],"b":3}`},
		{"semicolons", `{"a":1;"b":2};`, `{"a":1,"b":2}`},
		{"missing comma", "{\"a\":1\n\"b\":\"x\"\n\"c\":[1 2]}", `{"a":1,"b":"x","c":[1,2]}`},
		{"control characters", "{\"a\":\"x\ty\nz\x01\"\x02}", `{"a":"x\ty\nz\u0001"}`},
		{"bad escapes", `{"a":"\d\'\x41\u00e\q","b":"C:\Windows"}`, `{"a":"\\d'A\\u00e\\q","b":"C:\\Windows"}`},
		{"half of a character", `{"a":"\ud83d\u0041\ude00"}`, `{"a":"�A�"}`},
		{"single quotes", `{'a':'it is "so"',"b":"it's"}`, `{"a":"it is \"so\"","b":"it's"}`},
		{"no quotes", `{a:1,b:true,c:word,d_e:[x,y]}`, `{"a":1,"b":true,"c":"word","d_e":["x","y"]}`},
		{"inner quotes", `{"a":"The "best" one","b":"5" wide","c":"say "hi", he said"}`, `{"a":"The \"best\" one","b":"5\" wide","c":"say \"hi\", he said"}`},
		{"several roots", `{"a":1}{"b":2} , [3] x`, `{"a":1} {"b":2} [3]`},
		{"missing end", `{"a":{"b":[1,{"c":"x"`, `{"a":{"b":[1,{"c":"x"}]}}`},
		{"string without end", `{"a":"x`, `{"a":"x"}`},
		{"wrong brackets", `{"a":[1,{"b":2],"c":3}`, `{"a":[1,{"b":2}],"c":3}`},
		{"too many brackets", `{"a":1}}]`, `{"a":1}`},
		{"no value", `{"a":,"b":}`, `{"a":null,"b":null}`},
		{"BOM", "\uFEFF{\"a\":1}", `{"a":1}`},
		{"assignment", `var x = {"a":1};`, `{"a":1}`},
		{"entities as quotes", `{&quot;a&quot;:&quot;x &amp;amp; y&quot;}`, `{"a":"x \u0026amp; y"}`},
		{"entities twice", `[{&amp;quot;a&amp;quot;:1}]`, `[{"a":1}]`},
		{"entities stay", `{"a":"x &amp; y &quot;z&quot;"}`, `{"a":"x \u0026amp; y \u0026quot;z\u0026quot;"}`},
		{"numbers", `[+5,.5,5.,007,1e999,1e9999999999,1-2,NaN,0x1F]`, `[5,0.5,5,"007","1e999","1e9999999999","1-2",null,"0x1F"]`},
		{"names twice", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},
		{"nothing", ` x "a" 1 `, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := showAll(Read(c.text, 1000)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestScripts(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{a:'x',"b":[1,2,],c:!0,d:void 0,e:undefined,/* f */'g':{}}; more`, `{"a":"x","b":[1,2],"c":true,"d":null,"e":null,"g":{}}`},
		{"{a:`x\ny`}", `{"a":"x\ny"}`},
		{`"a\u0022b"`, `"a\"b"`},
		{`{a:f()}`, ``}, {`{a:"x"+y}`, ``}, {`{a(){}}`, ``}, {`{...b}`, ``}, {`function(){}`, ``}, {`{a:1`, ``},
		{"{a:`${x}`}", ``}, {`{a:new Date}`, ``}, {`{"a":"x` + "\n" + `"}`, ``}, {``, ``}, {`[1,b]`, ``}, {`{a:0x1F}`, ``}, {`{a:5/2}`, ``},
	} {
		v, _, ok := ReadScript(c.text, 1000)
		if got := show(v); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %v %s, want %s", c.text, ok, got, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	deep := showAll(Read(strings.Repeat("[", 1_000_000), 1000))
	if got := strings.Count(deep, "["); got < maxDepth || got > maxDepth+1 {
		t.Error(got)
	}
	if got := showAll(Read(`[1,2,3,{"a":4}]`, 3)); got != "[1,2,null]" && got != "[1,2]" {
		t.Error(got)
	}
}

// FuzzRead holds that valid JSON is read as encoding/json reads it, and that
// nothing else does harm.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e3,true,null,"x\u00e4\ud83d"],"b":{"c":{}},"a":2}`, `{'a':"x "y" z",b:[1,}`, "//<![CDATA[\n{&quot;a&quot;:1}", `[1e400,"\ud800\u0041"]`,
		"{\"a\":\"x,\n\"b\":2}", `{“a”:“x”}`, "<!--[[[", "{a:`x`,c:!0}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ReadScript(text, 1<<20)
		roots := Read(text, 1<<20)
		trimmed := strings.TrimLeft(text, " \t\r\n")
		if !json.Valid([]byte(text)) || strings.Count(text, "[")+strings.Count(text, "{") > maxDepth || trimmed[0] != '{' && trimmed[0] != '[' {
			return
		}
		if len(roots) != 1 {
			t.Fatalf("%d values in %q", len(roots), text)
		}
		var want any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		same(t, text, roots[0], want)
	})
}

func same(t *testing.T, text string, got Value, want any) {
	ok := false
	switch w := want.(type) {
	case nil:
		ok = got.Kind == Null
	case bool:
		ok = got.Kind == Bool && (got.Text == "true") == w
	case json.Number: // beyond the guard it is a text
		ok = (got.Kind == Number || got.Kind == String) && got.Text == w.String()
	case string:
		ok = got.Kind == String && strings.ToValidUTF8(got.Text, "�") == strings.ToValidUTF8(w, "�") || !validUTF8(text)
	case []any:
		ok = got.Kind == Array && len(got.Items) == len(w)
		for i := range w {
			if ok {
				same(t, text, got.Items[i], w[i])
			}
		}
	case map[string]any:
		ok = got.Kind == Object && (len(got.Items) == len(w) || !validUTF8(text))
		for _, item := range got.Items {
			if value, there := w[item.Name]; there {
				same(t, text, item, value)
			} else if validUTF8(text) {
				t.Fatalf("%q: a member %q too many", text, item.Name)
			}
		}
	}
	if !ok {
		t.Fatalf("%q: got %s, want %v", text, show(got), want)
	}
}

func validUTF8(s string) bool { return strings.ToValidUTF8(s, "") == s }

func TestTimeIsLinear(t *testing.T) {
	for _, piece := range []string{"[", "{\"a\":", "\" \"", "\",", "{a:\"x\n", "/*", "//", "<!--", "&quot;", "{\"a\":\"", "}", "]", "\\", "“", "-->", "a:", "{\"a\":\"b\nc\" : ", "\xe2", "<script", "//<!--"} {
		for _, before := range []string{"", "[", "{", "{\"a\":\""} {
			text := before + strings.Repeat(piece, (1<<18)/len(piece))
			Read(text, 1<<20) // a quadratic one does not come back
			ReadScript(text, 1<<20)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	one := `{"@type":"Product","name":"A thing","offers":{"price":"12.50","priceCurrency":"EUR"},"tags":["a","b"],"n":1.5},`
	text := "[" + strings.TrimSuffix(strings.Repeat(one, 1000), ",") + "]"
	b.Run("loose", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			Read(text, 1<<20)
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			var v any
			json.Unmarshal([]byte(text), &v)
		}
	})
}
