// Converts the pages named on the command line with one converter and prints
// the milliseconds that took, reading and start-up excluded.
import { readFileSync } from "node:fs";

const converters = {
  turndown: async () => {
    const { default: Turndown } = await import("turndown");
    const t = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
    return (html) => t.turndown(html);
  },
  "node-html-markdown": async () => {
    const { NodeHtmlMarkdown } = await import("node-html-markdown");
    const n = new NodeHtmlMarkdown();
    return (html) => n.translate(html);
  },
};

const [name, ...files] = process.argv.slice(2);
const convert = await converters[name]();
const pages = files.map((f) => readFileSync(f, "utf8"));
convert(pages[0]); // the first call compiles
const start = performance.now();
for (const page of pages) convert(page);
console.log(performance.now() - start);
