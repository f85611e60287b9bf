package publish

import (
	"strings"
	"testing"
)

// Each file of a program has its own address, as it has where it is not bundled.
func TestEachFileKnowsWhereItIs(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	const read = `import fs from "node:fs"; import path from "node:path"; import { fileURLToPath, pathToFileURL } from "node:url"; `
	files := map[string]string{
		"app/index.ts": `import url from "../lib/url.ts"; import own from "../lib/own.mjs"; import names from "../lib/deep/names.ts"; import odd from "../lib/it's 50% odd #1.ts";
			import first from "../lib/first.js"; import free from "../lib/free.ts"; import { main, beside } from "./main.ts"; import common from "../lib/common.cjs"; import strict from "../lib/strict.cjs"; ` + read + `
			const started = process.argv[1] === fileURLToPath(import.meta.url);
			console.log([url, own, names, odd, first, free, beside, common, strict, main, started, path.basename(__dirname), fs.readFileSync(new URL("./data.txt", import.meta.url), "utf8")].join());`,
		"app/main.ts":            read + `export const main = process.argv[1] === fileURLToPath(import.meta.url); export const beside = fs.existsSync(path.join(import.meta.dirname, "data.txt"));`,
		"app/data.txt":           "app",
		"lib/url.ts":             read + `export default fs.readFileSync(new URL("./data.txt", import.meta.url), "utf8");`,
		"lib/own.mjs":            read + `const __filename = fileURLToPath(import.meta.url); const __dirname = path.dirname(__filename); export default path.basename(__dirname) + "/" + path.basename(__filename);`,
		"lib/deep/names.ts":      read + `export default fs.readFileSync(path.join(import.meta.dirname, "..", "data.txt"), "utf8") + path.basename(import.meta.filename);`,
		"lib/it's 50% odd #1.ts": read + `export default import.meta.filename.endsWith("it's 50% odd #1.ts") && pathToFileURL(import.meta.filename).href === import.meta.url;`,
		"lib/first.js":           "#!/usr/bin/env node\n" + read + `export default path.basename(import.meta.url);`,
		"lib/free.ts":            read + `export default fs.readFileSync(__dirname + "/data.txt", "utf8") + path.basename(__filename);`,
		"lib/common.cjs":         `const fs = require("node:fs"); module.exports = fs.readFileSync(__dirname + "/data.txt", "utf8") + require("node:path").basename(__filename);`,
		"lib/strict.cjs":         `"use strict"; exports.default = require("./common.cjs") + typeof __dirname; exports.__esModule = true; exports.toString = () => exports.default;`,
		"lib/data.txt":           "lib",
	}
	dir, log := program(t, files), &lines{}
	out, err := p.bundle(t.Context(), dir, "app/index.ts", log.add)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	const want = "lib,lib/own.mjs,libnames.ts,true,first.js,libfree.ts,true,libcommon.cjs,libcommon.cjsstring,false,true,app,app"
	if got := node(t, p, dir, out); got != want {
		t.Errorf("%s\n%s", got, want)
	}
}

// What is wrong stands where its author has written it.
func TestMessagesNameThePlace(t *testing.T) {
	t.Parallel()
	p := publisher(t, Config{})
	for text, want := range map[string]string{
		`__dirname; const = 1`: "index.ts:1:17: ", "#!/bin/node\n__dirname; const = 1": "index.ts:2:17: ",
		"__dirname;\nconst = 1": "index.ts:2:6: ", `const = 1`: "index.ts:1:6: ",
	} {
		_, _, _, err := bundled(t, p, map[string]string{"index.ts": text})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
