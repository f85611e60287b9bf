// The contexts of the public client of the hosted service, unmodified, against
// this one. Every step asserts what it gets.
import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import Browserbase from "@browserbasehq/sdk";

const { BASE_URL, API_KEY } = process.env;
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL, maxRetries: 2 });

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

const open = (id, persist) => client.sessions.create({ keepAlive: true, browserSettings: { context: { id, persist } } });
const release = (session) => client.sessions.update(session.id, { projectId: "default", status: "REQUEST_RELEASE" });

let context, session;

await step("create", async () => {
  context = await client.contexts.create({ projectId: "default", name: "Shop" });
  assert.equal(createPublicKey(context.publicKey).asymmetricKeyType, "rsa");
  assert.equal(context.cipherAlgorithm, "AES-256-CBC");
  assert.equal(context.initializationVectorSize, 16);
  assert.ok(new URL(context.uploadUrl));
});
await step("create with nothing", async () => assert.ok((await client.contexts.create()).id));
await step("a name that is taken", () => fails(client.contexts.create({ name: "shop" }), Browserbase.ConflictError, /^409 name: /));
await step("retrieve", async () => {
  const got = await client.contexts.retrieve(context.id);
  assert.equal(got.id, context.id);
  assert.equal(got.name, "Shop");
  assert.ok(got.projectId && new Date(got.createdAt) <= new Date(got.updatedAt));
});
await step("update", async () => assert.deepEqual(await client.contexts.update(context.id), context));
await step("a session that saves", async () => {
  session = await open(context.id, true);
  assert.equal(session.contextId, context.id);
});
await step("another that would save", () => fails(open(context.id, true), Browserbase.ConflictError, /^409 .* is in use/));
await step("one that saves right after the release", async () => {
  assert.equal((await release(session)).status, "COMPLETED");
  const { updatedAt, createdAt } = await client.contexts.retrieve(context.id);
  assert.ok(new Date(updatedAt) > new Date(createdAt));
  await release(await open(context.id, true));
});
await step("delete", async () => {
  await client.contexts.delete(context.id);
  await fails(client.contexts.retrieve(context.id), Browserbase.NotFoundError, /^404 /);
  await fails(client.contexts.delete(context.id), Browserbase.NotFoundError, /^404 /);
});
await step("a session with what is gone", () =>
  fails(open(context.id, false), Browserbase.BadRequestError, /^400 browserSettings\.context\.id /));

console.log(`all ${steps} steps passed`);
