// The sessions of the public client of the hosted service, unmodified, against
// this one. Every step asserts what it gets.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import Browserbase, { toFile } from "@browserbasehq/sdk";
import { chromium } from "playwright-core";

const { BASE_URL, API_KEY, EXTENSION } = process.env;
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL, maxRetries: 0 });
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const host = new URL(BASE_URL).host;

let steps = 0;
async function step(name, what) {
  try {
    await what();
  } catch (err) {
    console.error(`step "${name}" failed`);
    throw err;
  }
  steps++;
}

// fails asserts that a call rejects with an error class of the client.
async function fails(call, kind, message) {
  await assert.rejects(call, (err) => {
    assert.ok(err instanceof kind, `${err.constructor.name}: ${err.message}`);
    assert.match(err.message, message);
    return true;
  });
}

let session;

await step("create", async () => {
  session = await client.sessions.create({
    projectId: "default", keepAlive: true, region: "eu-central-1", api_timeout: 120, timeout: 120,
    userMetadata: { stagehand: "true" }, proxies: false,
    browserSettings: { viewport: { width: 1288, height: 711 }, blockAds: false, solveCaptchas: true, recordSession: true, logSession: true },
  });
  assert.match(session.id, uuid);
  assert.equal(session.status, "RUNNING");
  assert.equal(session.keepAlive, true);
  assert.equal(session.region, "eu-central-1");
  assert.deepEqual(session.userMetadata, { stagehand: "true" });
  assert.ok(session.connectUrl.startsWith(`ws://${host}/v1/sessions/${session.id}/connect?signingKey=`));
  assert.ok(session.signingKey.length >= 32 && session.seleniumRemoteUrl);
});
await step("create with nothing, beyond the limit", () => fails(client.sessions.create(), Browserbase.RateLimitError, /^429 /));
await step("headers of the limit", () => client.sessions.create().catch((err) => {
  assert.equal(err.headers["x-ratelimit-limit"], "1");
  assert.equal(err.headers["x-ratelimit-remaining"], "0");
  assert.ok(Number(err.headers["retry-after"]) > 0);
}));
await step("retrieve", async () => {
  const got = await client.sessions.retrieve(session.id);
  assert.equal(got.signingKey, session.signingKey);
  assert.equal(got.connectUrl, session.connectUrl);
});
await step("list", async () => {
  assert.deepEqual((await client.sessions.list()).map((s) => s.id), [session.id]);
  assert.deepEqual((await client.sessions.list({ status: "COMPLETED" })), []);
  assert.deepEqual((await client.sessions.list({ q: "user_metadata['stagehand']:'true'" })).map((s) => s.id), [session.id]);
  assert.deepEqual((await client.sessions.list({ q: "user_metadata['stagehand']:'no'" })), []);
  await fails(client.sessions.list({ status: "ODD" }), Browserbase.BadRequestError, /^400 status must be one of/);
});
await step("debug", async () => {
  const urls = await client.sessions.debug(session.id);
  assert.equal(urls.wsUrl, session.connectUrl);
  assert.ok(Array.isArray(urls.pages));
  const page = await fetch(urls.debuggerFullscreenUrl);
  assert.equal(page.status, 200);
  assert.match(page.headers.get("content-security-policy"), /^default-src 'none'; script-src 'nonce-/);
  assert.match(await page.text(), /<title>Session<\/title>/);
});
await step("version", async () => {
  const url = session.connectUrl.replace(/^ws/, "http").replace("/connect?", "/connect/json/version/?");
  assert.equal((await (await fetch(url)).json()).webSocketDebuggerUrl, session.connectUrl);
});
await step("logs", async () => {
  const logs = await client.sessions.logs.list(session.id);
  assert.equal(logs[0].method, "Drover.note");
  assert.match(logs[0].request.params.message, /^solveCaptchas/);
  assert.equal(logs[0].sessionId, session.id);
});
await step("recording", async () => {
  const [meta, document] = await client.sessions.recording.retrieve(session.id);
  assert.deepEqual([meta.type, document.type], [4, 2]);
  assert.ok(meta.data.href && meta.data.width && meta.timestamp % 1 === 0);
});
await step("upload", async () => {
  const answer = await client.sessions.uploads.create(session.id, { file: await toFile(Buffer.from("hello"), "a.txt") });
  assert.ok(answer.message);
});
await step("release", async () => {
  const released = await client.sessions.update(session.id, { projectId: "default", status: "REQUEST_RELEASE" });
  assert.equal(released.status, "COMPLETED");
  assert.equal((await client.sessions.update(session.id, { projectId: "default", status: "REQUEST_RELEASE" })).status, "COMPLETED");
  const got = await client.sessions.retrieve(session.id);
  assert.equal(got.status, "COMPLETED");
  assert.equal(got.connectUrl, undefined);
  assert.equal(got.signingKey, undefined);
});
await step("logs of what has ended", async () => assert.equal((await client.sessions.logs.list(session.id))[0].method, "Drover.note"));
await step("one that is not there", () => fails(client.sessions.retrieve("01999999-0000-7000-8000-000000000001"), Browserbase.NotFoundError, /^404 /));

let extension;
await step("upload an extension", async () => {
  extension = await client.extensions.create({ file: await toFile(await readFile(EXTENSION), "marks.zip") });
  assert.match(extension.id, uuid);
  assert.equal(extension.fileName, "marks.zip");
  assert.match(extension.projectId, uuid);
  assert.deepEqual(await client.extensions.retrieve(extension.id), extension);
  await fails(client.extensions.create({ file: await toFile(Buffer.from("hello"), "a.zip") }), Browserbase.BadRequestError, /^400 file must be a ZIP or CRX archive/);
});
await step("a session with it", async () => {
  const with_ = await client.sessions.create({ projectId: "default", extensionId: extension.id, browserSettings: { extensionId: extension.id } });
  assert.equal(with_.status, "RUNNING");
  const browser = await chromium.connectOverCDP(with_.connectUrl);
  const [context] = browser.contexts();
  const worker = context.serviceWorkers()[0] ?? await context.waitForEvent("serviceworker");
  assert.match(worker.url(), /^chrome-extension:\/\/[a-p]{32}\/worker\.js$/);
  assert.equal(await worker.evaluate(() => chrome.extension.isAllowedFileSchemeAccess()), false);
  await browser.close();
  await client.sessions.update(with_.id, { projectId: "default", status: "REQUEST_RELEASE" });
});
await step("delete the extension", async () => {
  await client.extensions.delete(extension.id);
  await fails(client.extensions.retrieve(extension.id), Browserbase.NotFoundError, /^404 /);
  await fails(client.sessions.create({ extensionId: extension.id }), Browserbase.BadRequestError, /^400 extensionId names no extension: there is no/);
});

console.log(`all ${steps} steps passed`);
