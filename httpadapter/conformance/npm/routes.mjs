// The projects, replays and films of the public client of the hosted service,
// unmodified, against this one. Every step asserts what it gets.
import assert from "node:assert/strict";
import Browserbase from "@browserbasehq/sdk";
import { chromium } from "playwright-core";
import { end, step, until } from "./steps.mjs";

const { BASE_URL, API_KEY, OTHER_KEY, SITE } = process.env;
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL, maxRetries: 0 });
const other = new Browserbase({ apiKey: OTHER_KEY, baseURL: BASE_URL, maxRetries: 0 });
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let project, session, used;

await step("projects: list the one of the key", async () => {
  const all = await client.projects.list();
  assert.equal(all.length, 1);
  [project] = all;
  assert.equal(project.name, "default");
  assert.ok(project.concurrency > 0 && project.defaultTimeout >= 60 && project.ownerId.length > 0);
  assert.match(project.createdAt, stamp);
  assert.match(project.updatedAt, stamp);
});
await step("projects: retrieve", async () => assert.deepEqual(await client.projects.retrieve(project.id), project));
await step("projects: usage of nothing", async () =>
  assert.deepEqual(await client.projects.usage(project.id), { browserMinutes: 0, proxyBytes: 0 }));
await step("projects: those of others are none", async () => {
  await assert.rejects(other.projects.retrieve(project.id), Browserbase.NotFoundError);
  await assert.rejects(other.projects.usage(project.id), Browserbase.NotFoundError);
});

await step("a session with two pages", async () => {
  session = await client.sessions.create({ projectId: project.id, keepAlive: true });
  const browser = await chromium.connectOverCDP(session.connectUrl);
  const context = browser.contexts()[0];
  await context.pages()[0].goto(SITE + "/");
  await until(async () => (await client.sessions.replays.retrieve(session.id)).pageCount === 1);
  const second = await context.newPage();
  await second.goto(SITE + "/form");
  await second.bringToFront();
  await until(async () => (await client.sessions.replays.retrieve(session.id)).pageCount === 2);
  await browser.close();
});
await step("projects: usage while it runs", async () => {
  used = await client.projects.usage(project.id);
  assert.equal(used.browserMinutes, 1);
  assert.ok(used.proxyBytes > 0);
});
await step("films: not before the end", async () => {
  await assert.rejects(client.sessions.recording.downloads.list(session.id), Browserbase.ConflictError);
  await assert.rejects(client.sessions.recording.downloads.create(session.id), Browserbase.ConflictError);
});

await step("replays", async () => {
  await client.sessions.update(session.id, { projectId: project.id, status: "REQUEST_RELEASE" });
  const { endedAt, startedAt } = await client.sessions.retrieve(session.id);
  const { pages, pageCount } = await client.sessions.replays.retrieve(session.id);
  assert.equal(pageCount, 2);
  assert.deepEqual(pages.map((p) => p.pageId), ["0", "1"]);
  for (const { url, startTimeMs, endTimeMs } of pages) {
    assert.ok(Date.parse(startedAt) <= startTimeMs && startTimeMs < endTimeMs && endTimeMs <= Date.parse(endedAt));
    assert.ok(url.startsWith(`${BASE_URL}/v1/sessions/${session.id}/`));
  }
  assert.ok(pages[0].startTimeMs < pages[1].startTimeMs);
  await assert.rejects(client.sessions.replays.retrievePage(session.id, "0"), Browserbase.NotFoundError); // there is no HLS
});
await step("films", async () => {
  const asked = await client.sessions.recording.downloads.create(session.id);
  assert.equal(asked.downloads.length, 2);
  const { downloads } = await client.sessions.recording.downloads.list(session.id);
  assert.deepEqual(downloads.map((d) => [d.pageId, d.status]), [["0", "COMPLETED"], ["1", "COMPLETED"]]);
  for (const { downloadUrl, completedAt, pageId } of downloads) {
    assert.match(completedAt, stamp);
    const answer = await fetch(downloadUrl); // with no key
    assert.equal(answer.headers.get("content-type"), "video/mp4");
    assert.match(answer.headers.get("content-disposition"), new RegExp(`page-${pageId}\\.mp4`));
    const film = Buffer.from(await answer.arrayBuffer());
    assert.equal(film.toString("latin1", 4, 8), "ftyp");
    const at = film.indexOf("mdat", 0, "latin1");
    assert.equal(film.readUInt32BE(at - 4), film.length - at + 4);
    assert.equal(film.readUInt32BE(at + 4) >>> 8, 0xffd8ff); // a JPEG
    assert.equal((await fetch(downloadUrl + "x")).status, 401);
  }
});
await step("films of others are none", () =>
  assert.rejects(other.sessions.recording.downloads.list(session.id), Browserbase.NotFoundError));
await step("projects: usage afterwards", async () => {
  const { browserMinutes, proxyBytes } = await client.projects.usage(project.id);
  assert.ok(browserMinutes >= used.browserMinutes && proxyBytes >= used.proxyBytes);
  assert.equal(proxyBytes, (await client.sessions.retrieve(session.id)).proxyBytes);
});

await step("proxies: at a place where the host has one", async () => {
  const geolocation = { country: "us", state: "NY", city: "new york" };
  const { id, connectUrl } = await client.sessions.create({ proxies: [{ type: "browserbase", geolocation }] });
  const browser = await chromium.connectOverCDP(connectUrl);
  const page = browser.contexts()[0].pages()[0];
  await page.goto(SITE + "/");
  assert.equal(await page.title(), "Start");
  await browser.close();
  await until(async () => (await client.sessions.retrieve(id)).status === "COMPLETED");
});
await step("proxies: at no other place", async () => {
  for (const [geolocation, said] of [
    [{ country: "FR" }, /proxies\[0\]\.geolocation is where no proxy of this host is; there are some in DE\/Berlin, US\/NY\/New York/],
    [{ country: "DE", city: "Bonn" }, /proxies\[0\]\.geolocation is where no proxy/],
    [{ country: "Germany" }, /proxies\[0\]\.geolocation\.country must be a code of two letters/],
    [{ city: "Berlin" }, /proxies\[0\]\.geolocation\.country is required/],
  ]) {
    await assert.rejects(client.sessions.create({ proxies: [{ type: "browserbase", geolocation }] }), (err) => {
      assert.ok(err instanceof Browserbase.BadRequestError, err.message);
      assert.match(err.message, said);
      return true;
    });
  }
});

end();
