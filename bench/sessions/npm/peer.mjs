// Opens sessions one after the other with playwright-core, as told on standard
// input, a line each, and answers each with a line of JSON: how long creating
// it and the whole of it took, in milliseconds.
//
// EXEC is the browser, URL the page, MODE what a session is:
//   context  a context and a page of a browser that runs
//   connect  a connection to a browser that runs, and a page in it
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const { EXEC, URL: page, MODE } = process.env;
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const port = MODE === "connect" ? await freePort() : 0;
const browser = await chromium.launch({
  executablePath: EXEC,
  args: port ? [...args, `--remote-debugging-port=${port}`] : args,
});

async function freePort() {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

async function open() {
  if (MODE === "context") {
    const context = await browser.newContext();
    return { page: await context.newPage(), close: () => context.close() };
  }
  const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const context = await connected.newContext();
  return { page: await context.newPage(), close: async () => { await context.close(); await connected.close(); } };
}

async function session() {
  const start = performance.now();
  const opened = await open();
  const create = performance.now() - start;
  await opened.page.goto(page);
  await opened.close();
  return { create, whole: performance.now() - start };
}

await session(); // the first one is nobody's
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  if (line === "one") console.log(JSON.stringify(await session()));
}
await browser.close();
