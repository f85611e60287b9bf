// Sessions of this service, made with the public client of the hosted one, and
// driven with unmodified clients for browsers.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import Browserbase, { toFile } from "@browserbasehq/sdk";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";
import { end, step, until } from "./steps.mjs";

const { BASE_URL, API_KEY, SITE } = process.env;
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL, maxRetries: 0 });
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const status = async (id) => (await client.sessions.retrieve(id)).status;
const ended = (id) => until(async () => (await status(id)) === "COMPLETED");
const csv = "a,b\n1,2\n";

// files are those that a session has downloaded, by name; each with what it has
// to be.
async function files(sessionId, want) {
  const { downloads, total } = await client.get("/v1/downloads", { query: { sessionId } });
  assert.equal(total, Object.keys(want).length);
  for (const { id, filename, checksum, size } of downloads) {
    assert.equal(checksum, sha256(want[filename]), filename);
    const headers = { Accept: "application/octet-stream" };
    const answer = await client.get(`/v1/downloads/${id}`, { headers, __binaryResponse: true });
    const content = Buffer.from(await answer.arrayBuffer());
    assert.equal(content.toString(), want[filename]);
    assert.equal(content.length, size);
  }
  assert.deepEqual(downloads.map((d) => d.filename).sort(), Object.keys(want).sort());
  const zip = Buffer.from(await (await client.sessions.downloads.list(sessionId)).arrayBuffer());
  assert.equal(zip.readUInt16LE(zip.length - 12), total); // says the end of the directory
}

let session, browser, page;

await step("playwright: connect to the websocket", async () => {
  session = await client.sessions.create({ projectId: "default" });
  await client.sessions.uploads.create(session.id, { file: await toFile(Buffer.from("posted"), "posted.txt") });
  browser = await chromium.connectOverCDP(session.connectUrl);
  page = browser.contexts()[0].pages()[0];
});
await step("playwright: goto, fill, click", async () => {
  await page.goto(SITE + "/");
  await page.fill("#name", "Ada");
  await page.click("#greet");
  assert.equal(await page.textContent("#greeting"), "Hello Ada");
});
await step("playwright: a file that was posted", async () => {
  const cdp = await browser.contexts()[0].newCDPSession(page);
  const { root } = await cdp.send("DOM.getDocument");
  const { nodeId } = await cdp.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#file" });
  await cdp.send("DOM.setFileInputFiles", { nodeId, files: ["/tmp/.uploads/posted.txt"] });
  await page.waitForFunction(() => document.title === "posted.txt: posted");
});
await step("playwright: a file of its own", async () => {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#file")]);
  await chooser.setFiles({ name: "own.txt", mimeType: "text/plain", buffer: Buffer.from("sent along") });
  await page.waitForFunction(() => document.title === "own.txt: sent along");
});
await step("playwright: download", async () => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#get")]);
  assert.equal(download.suggestedFilename(), "table.csv");
  assert.equal(await download.failure(), null);
  await files(session.id, { "table.csv": csv }); // it is there when the client hears so
});
await step("playwright: a context of its own", async () => {
  const other = await browser.newContext({ viewport: { width: 500, height: 400 } });
  const p = await other.newPage();
  await p.goto(SITE + "/");
  assert.equal(await p.evaluate(() => innerWidth), 500);
  const [download] = await Promise.all([p.waitForEvent("download"), p.click("#data")]);
  assert.equal(await download.failure(), null);
  await other.close();
});
await step("the session ends with its client", async () => {
  assert.equal(await status(session.id), "RUNNING");
  await browser.close();
  await ended(session.id);
  await files(session.id, { "table.csv": csv, "data.txt": "made by the page" });
  await assert.rejects(chromium.connectOverCDP(session.connectUrl));
});

await step("playwright: connect to the http form", async () => {
  session = await client.sessions.create({ keepAlive: true });
  browser = await chromium.connectOverCDP(session.connectUrl.replace(/^ws/, "http"));
  page = browser.contexts()[0].pages()[0];
  await page.goto(SITE + "/");
  await page.evaluate(() => localStorage.setItem("kept", "yes"));
  await browser.close();
});
await step("puppeteer: connect again to what was kept", async () => {
  browser = await puppeteer.connect({ browserWSEndpoint: session.connectUrl, defaultViewport: null });
  [page] = await browser.pages();
  assert.equal(page.url(), SITE + "/");
  assert.equal(await page.evaluate(() => localStorage.getItem("kept")), "yes");
  await page.type("#name", "Bob");
  await page.click("#greet");
  assert.equal(await page.$eval("#greeting", (e) => e.textContent), "Hello Bob");
});
await step("puppeteer: files", async () => {
  await client.sessions.uploads.create(session.id, { file: await toFile(Buffer.from("posted"), "later.txt") });
  await (await page.$("#file")).uploadFile("later.txt");
  await page.waitForFunction(() => document.title === "later.txt: posted");
  await page.click("#get");
  await until(async () => (await client.get("/v1/downloads", { query: { sessionId: session.id } })).total === 1);
});
await step("several at once", async () => {
  const other = await chromium.connectOverCDP(session.connectUrl);
  const [mine, theirs] = [await browser.newPage(), await other.contexts()[0].newPage()];
  await Promise.all([mine.goto(SITE + "/"), theirs.goto(SITE + "/")]);
  await until(async () => (await client.sessions.debug(session.id)).pages.length === 3); // the service hears of them for itself
  await Promise.all([mine.close(), theirs.close()]);
  await other.close();
  assert.equal(await page.evaluate(() => 6 * 7), 42);
});
await step("release", async () => {
  const gone = new Promise((resolve) => browser.once("disconnected", resolve));
  await client.sessions.update(session.id, { projectId: "default", status: "REQUEST_RELEASE" });
  await gone;
  assert.equal(await status(session.id), "COMPLETED");
  await files(session.id, { "table.csv": csv });
  const logs = await client.sessions.logs.list(session.id);
  assert.ok(logs.some((l) => l.method === "Network.requestWillBeSent" && l.request.params.request.url === SITE + "/"));
});

// The form's answer is held back until both clients have seen the page.
await step("clients while an agent works", async () => {
  const run = await client.agents.runs.create({ task: `Go to ${SITE}/form. Type Ada into "Name". Click "Order". Return the total.` });
  const { sessionId } = await until(async () => {
    const r = await client.agents.runs.retrieve(run.runId);
    return r.sessionId && r;
  });
  const { connectUrl } = await until(async () => {
    const s = await client.sessions.retrieve(sessionId);
    return s.connectUrl && s;
  });
  const [a, b] = await Promise.all([chromium.connectOverCDP(connectUrl), puppeteer.connect({ browserWSEndpoint: connectUrl, defaultViewport: null })]);
  const [p] = a.contexts()[0].pages();
  const [q] = await b.pages();
  await Promise.all([p.waitForURL("**/form"), until(() => q.url().endsWith("/form"))]);
  assert.deepEqual(await Promise.all([p.title(), q.title()]), ["Order", "Order"]);
  await p.evaluate(() => { document.querySelector("h1").textContent = "seen by a client"; });
  assert.equal(await q.$eval("h1", (e) => e.textContent), "seen by a client");
  const left = [new Promise((resolve) => a.once("disconnected", resolve)), new Promise((resolve) => b.once("disconnected", resolve))];
  await fetch(SITE + "/let-go");
  await until(async () => (await client.agents.runs.retrieve(run.runId)).status === "COMPLETED");
  await Promise.all(left); // the run's session ends with the run
});

end();
