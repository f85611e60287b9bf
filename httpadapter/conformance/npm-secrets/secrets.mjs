// The secrets of the public client of the hosted service, unmodified, against this
// one. Values are sealed by a library for HPKE that knows nothing of either.
import assert from "node:assert/strict";
import Browserbase from "@browserbasehq/sdk";
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from "@hpke/core";

const { BASE_URL, API_KEY, FUNCTION } = process.env;
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL, maxRetries: 2 });
const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

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

async function fails(call, kind, message) {
  await assert.rejects(call, (err) => {
    assert.ok(err instanceof kind, `${err.constructor.name}: ${err.message}`);
    assert.match(err.message, message);
    return true;
  });
}

// seal seals a value under the key of the project.
async function seal(value) {
  const { id, publicKey } = await client.secrets.getPublicKey();
  const recipientPublicKey = await suite.kem.deserializePublicKey(new Uint8Array(Buffer.from(publicKey, "base64")));
  const sender = await suite.createSenderContext({ recipientPublicKey });
  const text = await sender.seal(new TextEncoder().encode(value));
  return { keypairId: id, sealedSecretValue: Buffer.concat([Buffer.from(sender.enc), Buffer.from(text)]).toString("base64") };
}

let user, password;

await step("the keypair stays", async () => assert.deepEqual(await client.secrets.getPublicKey(), await client.secrets.getPublicKey()));
await step("create", async () => {
  user = await client.secrets.create({ secretKey: "USER", ...(await seal("ada")) });
  password = await client.secrets.create({ secretKey: "PASSWORD", ...(await seal("☃".repeat(2000))) });
  assert.deepEqual(Object.keys(user), ["id", "secretKey"]);
});
await step("a name that is taken", async () => fails(client.secrets.create({ secretKey: "USER", ...(await seal("x")) }), Browserbase.ConflictError, /^409 /));
await step("what was not sealed", async () => {
  const { id: keypairId } = await client.secrets.getPublicKey();
  await fails(client.secrets.create({ secretKey: "A", keypairId, sealedSecretValue: "aG9yc2U=" }), Browserbase.BadRequestError, /^400 sealedSecretValue /);
});
await step("retrieve", async () => assert.deepEqual(await client.secrets.retrieve(user.id), user));
await step("list", async () => {
  const first = await client.secrets.list({ limit: 1 });
  assert.deepEqual(first.data, [password]);
  const next = await client.secrets.list({ limit: 1, cursor: first.nextCursor });
  assert.deepEqual(next, { data: [user], limit: 1, nextCursor: null });
});
await step("attach", async () => {
  for (const { id } of [user, user, password]) await client.functions.secrets.attach(FUNCTION, { secretId: id });
  assert.deepEqual((await client.functions.secrets.list(FUNCTION)).data, [password, user]);
});
await step("update", async () => assert.deepEqual(await client.secrets.update(user.id, await seal("bob")), user));
await step("detach", async () => {
  for (let i = 0; i < 2; i++) await client.functions.secrets.detach(FUNCTION, password.id);
  assert.deepEqual((await client.functions.secrets.list(FUNCTION)).data, [user]);
});
await step("delete", async () => {
  await client.secrets.delete(password.id);
  await fails(client.secrets.retrieve(password.id), Browserbase.NotFoundError, /^404 /);
});


// What the client has of functions are their secrets. Whoever invokes one with it uses
// its methods for any route.
await step("functions have secrets alone", async () => {
  assert.deepEqual(Object.keys(client.functions).filter((name) => name !== "_client"), ["secrets"]);
  assert.deepEqual(Object.getOwnPropertyNames(Object.getPrototypeOf(client.functions)), ["constructor"]);
});
await step("invoke", async () => {
  let invocation = await client.post(`/v1/functions/${FUNCTION}/invoke`, { body: { params: { size: 7 } } });
  while (["PENDING", "RUNNING"].includes(invocation.status)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    invocation = await client.get(`/v1/functions/invocations/${invocation.id}`);
  }
  assert.equal(invocation.status, "COMPLETED");
  assert.deepEqual(invocation.params, { size: 7 });
});
await step("invoke what there is not", async () =>
  fails(client.post("/v1/functions/0189c5a0-0000-7000-8000-000000000000/invoke", { body: {} }), Browserbase.NotFoundError, /^404 /));

console.log(`all ${steps} steps passed`);
