// The clients of builds of the job platform's public client, unmodified, and what runs
// charge.
import assert from "node:assert/strict";
import { ApifyClient } from "apify-client";
import { step, until, end } from "./steps.mjs";

const { BASE_URL, API_KEY, OTHER_KEY } = process.env;
const options = { baseUrl: BASE_URL, token: API_KEY, maxRetries: 0 };
const client = new ApifyClient(options);
const stranger = new ApifyClient({ ...options, token: OTHER_KEY });

async function refused(call, statusCode, type, message) {
  await assert.rejects(call, (err) => {
    assert.equal(err.name, "ApifyApiError", err.stack);
    assert.deepEqual([err.statusCode, err.type], [statusCode, type], err.message);
    assert.match(err.message, message);
    return true;
  });
}

const definition = {
  actorSpecification: 1, name: "shop", version: "0.1",
  input: { title: "Input", type: "object", schemaVersion: 1, required: ["url"], properties: {
    url: { title: "URL", type: "string", description: "Where.", editor: "textfield" },
    pages: { title: "Pages", type: "integer", description: "How many.", minimum: 1, default: 3 },
  } },
};
const file = (name, content) => ({ name, format: "TEXT", content });
const sources = [file(".actor/actor.json", JSON.stringify(definition)), file("README.md", "# Shop"), file("main.js", `
const { ACTOR_RUN_ID: run, APIFY_TOKEN: token, APIFY_API_BASE_URL: base } = process.env;
fetch(base + "/v2/actor-runs/" + run + "/charge", {
  method: "POST", headers: { authorization: "Bearer " + token, "content-type": "application/json", "idempotency-key": "one" }, body: '{"eventName":"page","count":2}',
}).then(async (r) => console.log("charged", r.status, await r.text()));
`)];
const hanging = [file("package.json", JSON.stringify({ name: "hanging", version: "1.0.0", scripts: { build: `node -e "console.log('it hangs'); setInterval(() => {}, 1000)"` } })), file("main.js", "")];

let actor, first, second;
await step("build an Actor", async () => {
  actor = await client.actors().create({ name: "shop", versions: [
    { versionNumber: "0.1", sourceType: "SOURCE_FILES", sourceFiles: sources }, { versionNumber: "0.2", sourceType: "SOURCE_FILES", buildTag: "beta", sourceFiles: hanging },
  ] });
  assert.deepEqual([actor.taggedBuilds, actor.stats.totalBuilds], [{}, 0]);
  await refused(client.actor(actor.id).start({ url: "x" }), 403, "unknown-build-tag", /built already/);
  const begun = await client.actor("default/shop").build("0.1", { useCache: true, betaPackages: false });
  assert.ok(["READY", "RUNNING", "SUCCEEDED"].includes(begun.status));
  assert.deepEqual([begun.buildNumber, begun.actId, begun.options.useCache, begun.meta.origin, begun.usageTotalUsd], ["0.1.1", actor.id, true, "API", 0]);
  first = await client.build(begun.id).waitForFinish({ waitSecs: 60 });
  assert.deepEqual([first.status, first.buildNumber, first.readme, first.actorDefinition], ["SUCCEEDED", "0.1.1", "# Shop", definition]);
  assert.deepEqual(JSON.parse(first.inputSchema), definition.input);
  assert.ok(first.startedAt instanceof Date && first.finishedAt instanceof Date && first.stats.durationMillis >= 0 && first.stats.imageSizeBytes > 0);
  await refused(client.actor(actor.id).build("0.7"), 404, "record-not-found", /0\.7/);
  await refused(client.actor(actor.id).build("0.1", { tag: "a b" }), 400, "invalid-request", /tag/);
  assert.equal(await stranger.build(first.id).get(), undefined);
});
await step("tags", async () => {
  actor = await client.actor(actor.id).get();
  assert.deepEqual(actor.taggedBuilds, { latest: { buildId: first.id, buildNumber: "0.1.1", finishedAt: first.finishedAt } });
  second = await client.actor(actor.id).build("0.1", { tag: "beta", waitForFinish: 60 });
  assert.deepEqual([second.status, second.buildNumber, second.buildNumberInt], ["SUCCEEDED", "0.1.2", 100002]);
  const changed = await client.actor(actor.id).update({ taggedBuilds: { latest: { buildId: second.id }, old: { buildId: first.id }, beta: null } });
  assert.deepEqual(Object.entries(changed.taggedBuilds).map(([tag, b]) => [tag, b.buildId]), [["latest", second.id], ["old", first.id]]);
  await refused(client.actor(actor.id).update({ taggedBuilds: { latest: { buildId: "none" } } }), 400, "invalid-request", /does not have/);
  const standard = await client.actor(actor.id).defaultBuild();
  assert.equal((await standard.get()).id, second.id);
});
await step("list builds", async () => {
  const all = await client.builds().list();
  assert.deepEqual([all.items.map((b) => b.id), all.total, all.count, all.limit], [[first.id, second.id], 2, 2, 1000]);
  const newest = await client.builds().list({ desc: true, limit: 1 });
  assert.deepEqual([newest.items[0].id, newest.total], [second.id, 2]);
  const of = await client.actor(actor.id).builds().list({ offset: 1 });
  assert.deepEqual(of.items.map((b) => [b.id, b.status, b.buildNumber]), [[second.id, "SUCCEEDED", "0.1.2"]]);
  assert.equal((await stranger.builds().list()).total, 0);
  assert.equal((await client.actor(actor.id).get()).stats.totalBuilds, 2);
});
await step("the log and the description of a build", async () => {
  const text = await client.build(first.id).log().get();
  assert.match(text, /^\d{4}-\d\d-\d\dT[\d:.]+Z Building version 0\.1 as 0\.1\.1\n/);
  assert.equal(await client.log(first.id).get(), text);
  const api = await client.build(first.id).getOpenApiDefinition();
  assert.deepEqual([api.openapi, api.info["x-build-id"], api.info.version, api.components.schemas.inputSchema], ["3.0.1", first.id, "0.1", definition.input]);
  assert.deepEqual(Object.keys(api.paths), ["run-sync", "run-sync-get-dataset-items", "runs"].map((name) => "/actors/default~shop/" + name));
});
await step("abort a build and follow its log", async () => {
  const { id } = await client.actor(actor.id).build("0.2");
  const log = await client.build(id).log().stream();
  let text = "";
  const ended = (async () => { for await (const piece of log) text += piece; })();
  await until(() => text.includes("it hangs"));
  await refused(client.build(id).delete(), 400, "deleting-unfinished-build", /not finished/);
  assert.equal((await client.build(id).waitForFinish({ waitSecs: 1 })).status, "RUNNING");
  await client.build(id).abort();
  const aborted = await client.build(id).waitForFinish();
  assert.equal(aborted.status, "ABORTED");
  await ended;
  assert.deepEqual(await client.build(id).abort(), aborted);
  await client.build(id).delete();
  assert.equal(await client.build(id).get(), undefined);
  assert.equal(await client.build(id).log().get(), undefined);
});
await step("check an input", async () => {
  assert.equal(await client.actor(actor.id).validateInput({ url: "x" }), true);
  assert.equal(await client.actor(actor.id).validateInput({ url: "x", pages: 1 }, { build: "0.1.1" }), true);
  await refused(client.actor(actor.id).validateInput({ pages: 1 }), 400, "invalid-input", /input\.url is required/);
  await refused(client.actor(actor.id).validateInput({ url: "x", pages: 0 }), 400, "invalid-input", /input\.pages/);
});
await step("run it, and charge", async () => {
  const run = await client.actor(actor.id).call({ url: "x" }, { log: null, memory: 512 });
  const log = await client.run(run.id).log().get();
  assert.deepEqual([run.status, run.buildId, run.buildNumber, run.chargedEventCounts], ["SUCCEEDED", second.id, "0.1.2", { page: 2 }], log);
  assert.match(log, /charged 201 \{\}/);
  assert.deepEqual((await client.run(run.id).keyValueStore().getRecord("INPUT")).value, { url: "x", pages: 3 });
  const going = await client.actor("~stuck").start();
  await client.run(going.id).charge({ eventName: "item", count: 4, idempotencyKey: "k" });
  await client.run(going.id).charge({ eventName: "item", count: 4, idempotencyKey: "k" });
  await client.run(going.id).charge({ eventName: "item" });
  assert.deepEqual((await client.run(going.id).get()).chargedEventCounts, { item: 5 });
  await refused(client.run(going.id).charge({ eventName: "apify-actor-start" }), 405, "cannot-charge-vendor-event", /platform/);
  const between = await client.runs().list({ startedAfter: going.startedAt, startedBefore: new Date() });
  assert.deepEqual(between.items.map((r) => r.id), [going.id]);
  assert.equal((await client.runs().list({ startedBefore: run.startedAt })).total, 1);
  await client.run(going.id).abort();
  await refused(client.run(run.id).charge({ eventName: "late" }), 403, "job-finished", /SUCCEEDED/);
  const ranked = await client.actors().list({ my: true, sortBy: "stats.lastRunStartedAt", desc: true, limit: 2 });
  assert.deepEqual(ranked.items.map((a) => [a.name, a.stats.totalRuns]), [["stuck", 1], ["shop", 1]]);
  assert.equal((await client.actor(actor.id).get()).stats.lastRunStartedAt.getTime(), run.startedAt.getTime());
});
await step("charge for what has a price", async () => {
  const prices = { pricingModel: "PAY_PER_EVENT", apifyMarginPercentage: 0.2, minimalMaxTotalChargeUsd: 0.5, pricingPerEvent: { actorChargeEvents: { page: { eventTitle: "A page", eventDescription: "", eventPriceUsd: 0.1 } } } };
  const { pricingInfos } = await client.actor(actor.id).update({ pricingInfos: [prices] });
  assert.deepEqual(pricingInfos[0].pricingPerEvent, prices.pricingPerEvent);
  assert.ok(pricingInfos[0].startedAt instanceof Date);
  await refused(client.actor(actor.id).start({ url: "x" }, { maxTotalChargeUsd: 0.4 }), 400, "max-total-charge-usd-below-minimum", /0\.5/);
  const { id, pricingInfo, options } = await client.actor(actor.id).start({ url: "x" }, { maxTotalChargeUsd: 2, memory: 512 });
  assert.deepEqual([pricingInfo, options.maxTotalChargeUsd], [pricingInfos[0], 2]);
  await client.actor(actor.id).update({ pricingInfos: [] }); // is no matter of that run
  const run = await client.run(id).waitForFinish();
  assert.deepEqual([run.status, run.pricingInfo, run.chargedEventCounts], ["SUCCEEDED", pricingInfos[0], { page: 2 }]);
  assert.equal((await client.actor(actor.id).get()).pricingInfos, undefined);
  await refused(client.actor(actor.id).update({ pricingInfos: [{ pricingModel: "FLAT_PRICE_PER_MONTH", pricePerUnitUsd: 10 }] }), 400, "pricing-model-not-supported", /FLAT_PRICE_PER_MONTH/);
});
await step("Standby is kept, and not served", async () => {
  const kept = await client.actor(actor.id).update({ actorStandby: { isEnabled: false, idleTimeoutSecs: 60, maxRequestsPerActorRun: 2 } });
  assert.deepEqual(kept.actorStandby, { isEnabled: false, idleTimeoutSecs: 60, maxRequestsPerActorRun: 2 });
  await refused(client.actor(actor.id).update({ actorStandby: { isEnabled: true } }), 400, "not-implemented", /actorStandby\.isEnabled/);
  assert.equal((await client.actor(actor.id).update({ actorStandby: { desiredRequestsPerActorRun: 1 } })).actorStandby.idleTimeoutSecs, 60);
});
await step("delete builds", async () => {
  await refused(client.build(second.id).delete(), 400, "deleting-default-build", /default build/);
  await client.build(first.id).delete();
  assert.equal(await client.build(first.id).get(), undefined);
  assert.deepEqual(Object.keys((await client.actor(actor.id).get()).taggedBuilds), ["latest"]);
  assert.deepEqual((await client.builds().list()).items.map((b) => b.id), [second.id]);
});

end();
