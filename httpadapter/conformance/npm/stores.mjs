// The storage clients of the job platform's public client, unmodified: every
// operation of datasets, key-value stores, request queues and their collections.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { ApifyClient } from "apify-client";
import { step, end } from "./steps.mjs";

const { BASE_URL, API_KEY, OTHER_KEY } = process.env;
const options = { baseUrl: BASE_URL, publicBaseUrl: BASE_URL, token: API_KEY, maxRetries: 0 };
const client = new ApifyClient(options);
const stranger = new ApifyClient({ ...options, token: OTHER_KEY });
const short = /^[A-Za-z0-9]{17}$/;

// refused asserts that a call rejects as the platform's errors do.
async function refused(call, statusCode, type, message) {
  await assert.rejects(call, (err) => {
    assert.equal(err.name, "ApifyApiError", err.stack);
    assert.deepEqual([err.statusCode, err.type], [statusCode, type], err.message);
    assert.match(err.message, message);
    return true;
  });
}

async function all(iterable) {
  const found = [];
  for await (const one of iterable) found.push(one);
  return found;
}

// common are what the clients of all stores can do.
async function common(kind, of, collection) {
  let made;
  await step(`${kind}: make one with a name`, async () => {
    made = await collection().getOrCreate("My-store");
    assert.match(made.id, short);
    assert.equal(made.name, "My-store");
    assert.ok(made.createdAt instanceof Date && made.modifiedAt instanceof Date && made.accessedAt instanceof Date);
    assert.deepEqual([made.actId, made.actRunId, made.generalAccess], [null, null, "FOLLOW_USER_SETTING"]);
    assert.equal((await collection().getOrCreate("my-STORE")).id, made.id);
  });
  await step(`${kind}: get it, by id and by name`, async () => {
    const me = await client.user("me").get();
    for (const ref of [made.id, `${me.username}/My-store`, `${me.username}~my-store`, "~My-store", `${me.id}~My-store`]) {
      assert.equal((await of(client, ref).get()).id, made.id, ref);
    }
    assert.deepEqual([made.userId, made.username], [me.id, me.username]);
    assert.equal(await of(client, "My-store").get(), undefined); // a bare name is an id, of nothing
    assert.equal(await of(client, "nobody~My-store").get(), undefined);
    assert.equal(await of(stranger, made.id).get(), undefined);
  });
  await step(`${kind}: update it`, async () => {
    const u = await of(client, made.id).update({ title: "Läden", name: "shops", generalAccess: "RESTRICTED" });
    assert.deepEqual([u.name, u.title, u.generalAccess], ["shops", "Läden", "RESTRICTED"]);
    await collection().getOrCreate("taken");
    await refused(of(client, made.id).update({ name: "TAKEN" }), 400, "name-not-unique", /TAKEN/);
    await refused(of(client, made.id).update({ name: "a b" }), 400, "invalid-request", /name must be/);
    await refused(of(client, "none").update({ title: "x" }), 404, "record-not-found", /not found/);
    assert.equal((await of(client, made.id).update({ name: null })).name, null);
    assert.equal((await of(client, made.id).update({ name: "shops" })).title, "Läden");
  });
  await step(`${kind}: list them`, async () => {
    for (let i = 0; i < 3; i++) await collection().getOrCreate(`more-${i}`);
    const unnamed = await collection().getOrCreate();
    assert.equal(unnamed.name, null);
    const page = await collection().list();
    assert.deepEqual(page.items.map((s) => s.name), ["shops", "taken", "more-0", "more-1", "more-2"]);
    assert.deepEqual([page.total, page.count, page.offset, page.limit, page.desc, page.unnamed], [5, 5, 0, 1000, false, false]);
    const last = await collection().list({ desc: true, limit: 2, offset: 1 });
    assert.deepEqual([last.items.map((s) => s.name), last.total, last.limit, last.desc], [["more-1", "more-0"], 5, 2, true]);
    assert.deepEqual((await all(collection().list({ unnamed: true }))).map((s) => s.id).pop(), unnamed.id);
    assert.equal((await collection().list({ unnamed: true })).unnamed, true);
    assert.equal((await all(collection().list({ limit: 4 }))).length, 4);
    assert.equal((await collection().list({ ownership: "sharedWithMe" })).total, 0);
    assert.equal((await collection().list({ ownership: "ownedByMe" })).total, 5);
  });
  await step(`${kind}: delete one`, async () => {
    const gone = of(client, (await collection().getOrCreate("gone")).id);
    await gone.delete();
    assert.equal(await gone.get(), undefined);
    await gone.delete(); // the client takes the 404 for success
  });
  return made.id;
}

const datasets = await common("dataset", (c, id) => c.dataset(id), () => client.datasets());
const dataset = client.dataset(datasets);

await step("dataset: push items in every form", async () => {
  await dataset.pushItems({ n: 1, name: "Lamp", size: { w: 2, h: 3 }, "#debug": true });
  await dataset.pushItems([{ n: 2, name: "Stuhl", tags: ["a", "b"] }, {}]);
  await dataset.pushItems(JSON.stringify({ n: 3, big: "12345678901234567890" }));
  await dataset.pushItems([JSON.stringify({ n: 4 }), JSON.stringify({ n: 5, text: "ü".repeat(2000) })]); // compressed
  await dataset.pushItems([]);
  const d = await dataset.get();
  assert.deepEqual([d.itemCount, d.cleanItemCount], [6, 5]);
  assert.deepEqual(d.fields, ["#debug", "big", "n", "name", "size", "tags", "text"]);
  assert.equal(d.stats.writeCount, 6);
  await refused(dataset.pushItems("[1]"), 400, "invalid-input", /must be objects/);
  await refused(dataset.pushItems("{"), 400, "invalid-input", /must be objects/); // it is sent as the JSON of a string
  await refused(client.dataset("none").pushItems({}), 404, "record-not-found", /Dataset was not found/);
});
await step("dataset: list items", async () => {
  const page = await dataset.listItems();
  assert.deepEqual(page.items.map((i) => i.n), [1, 2, undefined, 3, 4, 5]);
  assert.deepEqual([page.total, page.offset, page.count, page.limit, page.desc], [6, 0, 6, 999999999999, false]);
  const back = await dataset.listItems({ desc: true, limit: 2, offset: 1, fields: ["n"] });
  assert.deepEqual([back.items, back.total, back.offset, back.limit, back.desc], [[{ n: 4 }, { n: 3 }], 6, 1, 2, true]);
  assert.deepEqual((await dataset.listItems({ limit: 0 })).items.length, 6);
});
await step("dataset: what becomes of items", async () => {
  const items = async (o) => (await dataset.listItems(o)).items;
  assert.deepEqual((await items({ clean: true }))[0], { n: 1, name: "Lamp", size: { w: 2, h: 3 } });
  assert.equal((await items({ skipEmpty: true })).length, 5);
  assert.equal((await items({ skipHidden: true }))[0]["#debug"], undefined);
  assert.deepEqual((await items({ flatten: ["size"], fields: ["n", "size.h"], limit: 1 }))[0], { n: 1, "size.h": 3 });
  assert.deepEqual(await items({ unwind: "tags", offset: 1, limit: 1 }), [{ n: 2, name: "Stuhl", tags: "a" }, { n: 2, name: "Stuhl", tags: "b" }]);
  assert.deepEqual(await items({ unwind: ["tags"], omit: ["name"], offset: 1, limit: 1 }), [{ n: 2, tags: "a" }, { n: 2, tags: "b" }]);
  await refused(dataset.listItems({ view: "none" }), 400, "requested-dataset-view-does-not-exist", /no view "none"/);
});
await step("dataset: go through all items in parts", async () => {
  assert.deepEqual((await all(dataset.listItems({ chunkSize: 2, fields: ["n"] }))).map((i) => i.n), [1, 2, undefined, 3, 4, 5]);
  assert.equal((await all(dataset.listItems({ chunkSize: 2, limit: 3 }))).length, 3);
});
await step("dataset: download it in every format", async () => {
  const get = async (format, o) => (await dataset.downloadItems(format, { fields: ["n", "name"], limit: 2, ...o })).toString();
  assert.deepEqual(JSON.parse(await get("json")), [{ n: 1, name: "Lamp" }, { n: 2, name: "Stuhl" }]);
  assert.equal(await get("jsonl"), '{"n":1,"name":"Lamp"}\n{"n":2,"name":"Stuhl"}\n');
  assert.equal(await get("csv"), "\ufeffn,name\n1,Lamp\n2,Stuhl\n");
  assert.equal(await get("csv", { bom: false, delimiter: ";", skipHeaderRow: true }), "1;Lamp\n2;Stuhl\n");
  assert.match(await get("html"), /<table>[^]*Stuhl/);
  assert.match(await get("xml", { xmlRoot: "shop", xmlRow: "thing" }), /<shop>\s*<thing>\s*<n>1<\/n>/);
  assert.match(await get("rss"), /<rss[^]*<item>/);
  assert.equal((await get("xlsx")).slice(0, 2), "PK");
  assert.deepEqual(JSON.parse(await get("json", { attachment: true })).length, 2);
});
await step("dataset: a schema", async () => {
  const schema = {
    fields: { properties: { price: { type: "number" } }, required: ["price"] },
    views: { prices: { transformation: { fields: ["price"] }, display: {} } },
  };
  const { id } = await client.datasets().getOrCreate("", { schema });
  const of = client.dataset(id);
  assert.deepEqual((await of.get()).schema, schema);
  await of.pushItems([{ price: 2, x: 1 }, { price: 7 }]);
  await assert.rejects(of.pushItems([{ price: 1 }, { price: "x" }]), (err) => {
    assert.deepEqual([err.statusCode, err.type], [400, "schema-validation-error"]);
    const [item] = err.data.invalidItems;
    assert.equal(item.itemPosition, 1);
    assert.deepEqual([item.validationErrors[0].instancePath, item.validationErrors[0].keyword], ["/1/price", "type"]);
    return true;
  });
  assert.deepEqual((await of.listItems({ view: "prices" })).items, [{ price: 2 }, { price: 7 }]);
  assert.deepEqual((await of.getStatistics()).fieldStatistics.price, { min: 2, max: 7, nullCount: 0, emptyCount: 0 });
  assert.deepEqual(await dataset.getStatistics(), { fieldStatistics: {} });
  assert.equal(await client.dataset("none").getStatistics(), undefined);
});
await step("dataset: a public URL", async () => {
  for (const ref of [datasets, "default/shops"]) {
    const url = await client.dataset(ref).createItemsPublicUrl({ fields: ["n"], limit: 1, expiresInSecs: 60 });
    assert.deepEqual(await (await fetch(url)).json(), [{ n: 1 }], url);
    const wrong = await fetch(url.replace("signature=", "signature=x"));
    assert.deepEqual([wrong.status, (await wrong.json()).error.type], [400, "invalid-signature"]);
  }
  assert.equal((await (await fetch((await dataset.get()).itemsPublicUrl)).json()).length, 6);
  const none = await fetch(`${BASE_URL}/v2/datasets/${datasets}/items`);
  assert.deepEqual([none.status, (await none.json()).error.type], [401, "token-not-provided"]);
  const signature = new URL((await dataset.get()).itemsPublicUrl).searchParams.get("signature");
  assert.equal((await stranger.dataset(datasets).listItems({ signature })).total, 6);
});

const stores = await common("key-value store", (c, id) => c.keyValueStore(id), () => client.keyValueStores());
const store = client.keyValueStore(stores);
const key = "a!-_.'()z";

await step("key-value store: set records of every kind", async () => {
  await store.setRecord({ key, value: { "ä": [1, null] } });
  await store.setRecord({ key: "text", value: "Grüße" });
  await store.setRecord({ key: "bytes", value: Buffer.from([0, 255, 1]) });
  await store.setRecord({ key: "page", value: "<h1>x</h1>", contentType: "text/html; charset=utf-8" });
  await store.setRecord({ key: "empty", value: "" });
  await store.setRecord({ key: "null", value: null });
  await store.setRecord({ key: "large", value: Buffer.alloc(300_000, "abc") }); // compressed, in a file
  await store.setRecord({ key: "stream", value: Readable.from([Buffer.from("one "), Buffer.from("two")]) });
  await refused(store.setRecord({ key: "a b", value: "x" }), 400, "invalid-record-key", /invalid character/);
  await refused(client.keyValueStore("none").setRecord({ key, value: "x" }), 404, "record-not-found", /not found/);
});
await step("key-value store: get them", async () => {
  assert.deepEqual(await store.getRecord(key), { key, value: { "ä": [1, null] }, contentType: "application/json; charset=utf-8" });
  assert.deepEqual(await store.getRecord("text"), { key: "text", value: "Grüße", contentType: "text/plain; charset=utf-8" });
  assert.deepEqual((await store.getRecord("bytes")).value, Buffer.from([0, 255, 1]));
  assert.equal((await store.getRecord("page")).value, "<h1>x</h1>");
  assert.equal((await store.getRecord("null")).value, null);
  assert.equal((await store.getRecord("empty")).value, undefined);
  assert.deepEqual((await store.getRecord("large", { buffer: true })).value, Buffer.alloc(300_000, "abc"));
  const { value } = await store.getRecord("stream", { stream: true });
  assert.equal(Buffer.concat(await all(value)).toString(), "one two");
  assert.equal(await store.getRecord("none"), undefined);
});
await step("key-value store: whether there is one, and its end", async () => {
  assert.equal(await store.recordExists("text"), true);
  await store.deleteRecord("text");
  await store.deleteRecord("text");
  assert.equal(await store.recordExists("text"), false);
});
await step("key-value store: list keys", async () => {
  const page = await store.listKeys({ limit: 2 });
  assert.deepEqual(page.items.map((k) => [k.key, k.size]), [[key, Buffer.byteLength(JSON.stringify({ "ä": [1, null] }, null, 2))], ["bytes", 3]]);
  assert.deepEqual([page.count, page.limit, page.isTruncated, page.exclusiveStartKey, page.nextExclusiveStartKey], [2, 2, true, null, "bytes"]);
  const rest = await store.listKeys({ exclusiveStartKey: "bytes" });
  assert.deepEqual([rest.items.map((k) => k.key), rest.isTruncated, rest.nextExclusiveStartKey], [["empty", "large", "null", "page", "stream"], false, null]);
  assert.deepEqual((await all(store.listKeys())).length, 7);
  assert.deepEqual((await all(store.listKeys({ prefix: "pa" }))).map((k) => k.key), ["page"]);
  await refused(store.listKeys({ collection: "none" }), 400, "invalid-collection", /no collection/);
});
await step("key-value store: a schema with collections", async () => {
  const schema = { collections: { pictures: { keyPrefix: "img-", contentTypes: ["image/png"] } } };
  const { id } = await client.keyValueStores().getOrCreate(undefined, { schema });
  const of = client.keyValueStore(id);
  assert.deepEqual((await of.get()).schema, schema);
  await of.setRecord({ key: "img-1", value: Buffer.from("x"), contentType: "image/png" });
  await of.setRecord({ key: "other", value: "x" });
  await refused(of.setRecord({ key: "img-2", value: "x" }), 400, "schema-validation-error", /pictures/);
  assert.deepEqual((await all(of.listKeys({ collection: "pictures" }))).map((k) => k.key), ["img-1"]);
});
await step("key-value store: public URLs", async () => {
  for (const ref of [stores, "default/shops"]) {
    const of = client.keyValueStore(ref);
    const url = await of.getRecordPublicUrl(key);
    assert.deepEqual(await (await fetch(url)).json(), { "ä": [1, null] }, url);
    assert.equal((await fetch(url.replace("a!", "b!"))).status, 400);
    const keys = await (await fetch(await of.createKeysPublicUrl({ limit: 1, expiresInSecs: 60 }))).json();
    assert.equal((await fetch(keys.data.items[0].recordPublicUrl)).status, 200);
  }
  const whole = await (await fetch((await store.get()).keysPublicUrl)).json();
  assert.equal(whole.data.count, 7);
  const signature = new URL(whole.data.items[0].recordPublicUrl).searchParams.get("signature");
  assert.deepEqual((await stranger.keyValueStore(stores).getRecord(key, { signature })).value, { "ä": [1, null] });
  assert.equal(await stranger.keyValueStore(stores).getRecord(key), undefined);
});

const queues = await common("request queue", (c, id) => c.requestQueue(id), () => client.requestQueues());
const one = client.requestQueue(queues, { clientKey: "one" });
const two = client.requestQueue(queues, { clientKey: "two" });
const url = (n) => `https://example.com/${n}`;
let first;

await step("request queue: add a request", async () => {
  const request = { url: url(1), uniqueKey: "first", method: "POST", payload: "x", headers: { a: "b" }, userData: { label: "START" }, noRetry: true };
  first = await one.addRequest(request);
  assert.deepEqual([first.wasAlreadyPresent, first.wasAlreadyHandled], [false, false]);
  assert.deepEqual(await one.addRequest(request), { ...first, wasAlreadyPresent: true });
  assert.deepEqual(await one.getRequest(first.requestId), { id: first.requestId, ...request });
  assert.equal(await one.getRequest("none"), undefined);
  await refused(one.addRequest({ url: 7 }), 400, "invalid-request", /url must be a string/);
  await refused(client.requestQueue(queues, { clientKey: "x".repeat(33) }).addRequest({ url: url(1) }), 400, "invalid-client-key", /clientKey/);
});
await step("request queue: add many", async () => {
  const many = Array.from({ length: 60 }, (_, n) => ({ url: url(n + 2), uniqueKey: url(n + 2), userData: { text: "x".repeat(100) } }));
  const added = await one.batchAddRequests(many);
  assert.deepEqual([added.processedRequests.length, added.unprocessedRequests], [60, []]);
  assert.ok(added.processedRequests.every((r) => !r.wasAlreadyPresent && r.requestId && r.uniqueKey));
  await one.batchAddRequests([{ url: url("now"), uniqueKey: "now" }], { forefront: true });
  await one.addRequest({ url: url("sooner"), uniqueKey: "sooner" }, { forefront: true });
  const q = await one.get();
  assert.deepEqual([q.totalRequestCount, q.pendingRequestCount, q.handledRequestCount, q.hadMultipleClients], [63, 63, 0, false]);
});
await step("request queue: its head", async () => {
  const head = await one.listHead({ limit: 3 });
  assert.deepEqual(head.items.map((r) => r.uniqueKey), ["sooner", "now", "first"]);
  assert.deepEqual([head.limit, head.hadMultipleClients, head.items[2].method, head.items[2].retryCount], [3, false, "POST", 0]);
  assert.ok(head.queueModifiedAt instanceof Date);
});
await step("request queue: lock, prolong and let go", async () => {
  const mine = await one.listAndLockHead({ lockSecs: 60, limit: 2 });
  assert.deepEqual(mine.items.map((r) => r.uniqueKey), ["sooner", "now"]);
  assert.deepEqual([mine.limit, mine.lockSecs, mine.clientKey, mine.queueHasLockedRequests], [2, 60, "one", true]);
  assert.ok(mine.items[0].lockExpiresAt > new Date());
  const theirs = await two.listAndLockHead({ lockSecs: 60 });
  assert.deepEqual([theirs.items.length, theirs.items[0].uniqueKey, theirs.hadMultipleClients], [25, "first", true]);
  const until = await one.prolongRequestLock(mine.items[0].id, { lockSecs: 600 });
  assert.ok(until.lockExpiresAt > mine.items[0].lockExpiresAt);
  await refused(two.prolongRequestLock(mine.items[0].id, { lockSecs: 60 }), 400, "request-handled-or-locked", /not locked by this client/);
  await refused(two.deleteRequestLock(mine.items[0].id), 400, "request-handled-or-locked", /not locked by this client/);
  await one.deleteRequestLock(mine.items[1].id, { forefront: true });
  assert.equal((await one.listAndLockHead({ lockSecs: 1, limit: 1 })).items[0].uniqueKey, "now");
  assert.deepEqual(await two.unlockRequests(), { unlockedCount: 25 });
  await refused(one.listAndLockHead({ lockSecs: 0 }), 400, "invalid-request", /lockSecs/);
});
await step("request queue: update", async () => {
  const request = await one.getRequest(first.requestId);
  assert.deepEqual(await one.updateRequest({ ...request, retryCount: 1, errorMessages: ["x"] }, { forefront: true }),
    { requestId: first.requestId, wasAlreadyPresent: true, wasAlreadyHandled: false });
  assert.equal((await one.getRequest(first.requestId)).retryCount, 1);
  const done = await one.updateRequest({ ...request, handledAt: new Date().toISOString() });
  assert.equal(done.wasAlreadyHandled, false);
  assert.ok((await one.getRequest(first.requestId)).handledAt instanceof Date);
  assert.deepEqual(await one.addRequest({ url: url(1), uniqueKey: "first" }), { ...first, wasAlreadyPresent: true, wasAlreadyHandled: true });
  assert.equal((await one.get()).handledRequestCount, 1);
  await refused(one.updateRequest({ id: first.requestId, url: url(1), uniqueKey: "another" }), 400, "request-id-invalid", /uniqueKey/);
});
await step("request queue: list requests", async () => {
  const page = await one.listRequests({ limit: 10 });
  assert.equal(page.items.length, 10);
  assert.equal(page.limit, 10);
  const after = await one.listRequests({ limit: 100, exclusiveStartId: page.items[9].id });
  assert.equal(after.items.length, 53);
  assert.equal((await all(one.listRequests({ limit: 40 }))).length, 40);
  let seen = 0;
  for await (const { items } of one.paginateRequests({ maxPageLimit: 20 })) seen += items.length;
  assert.equal(seen, 63);
  assert.ok((await one.listRequests({ filter: ["locked"] })).items.every((r) => ["sooner", "now"].includes(r.uniqueKey)));
  assert.ok((await one.listRequests({ filter: ["locked", "pending"] })).items.length >= 62);
});
await step("request queue: delete requests", async () => {
  await one.deleteRequest(first.requestId);
  assert.equal(await one.getRequest(first.requestId), undefined);
  const { id } = (await one.listHead({ limit: 1 })).items[0];
  const gone = await one.batchDeleteRequests([{ id }, { uniqueKey: url(5) }]);
  assert.deepEqual(gone, { processedRequests: [{ id }, { uniqueKey: url(5) }], unprocessedRequests: [] });
  assert.equal((await one.get()).totalRequestCount, 60);
});

end();
