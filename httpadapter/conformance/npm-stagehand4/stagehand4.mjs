// Stagehand 4, unmodified, on sessions of this service: in each of its modes that
// apply to a browser elsewhere. Its runtime is an extension, which it uploads; the
// model that it asks is a server of this machine.
import assert from "node:assert/strict";
import Browserbase from "@browserbasehq/sdk";
import { Stagehand, browserbase, getExtensionArchive, localBrowser } from "@browserbasehq/stagehand";
import { z } from "zod";

const { BASE_URL: baseUrl, API_KEY: apiKey, MODEL_URL: apiUrl, SITE } = process.env;
const client = new Browserbase({ apiKey, baseURL: baseUrl, maxRetries: 0 });
const quiet = { level: "error" };

// work has the model find a button, press it and read what comes of it.
async function work(stagehand, name) {
  const [page] = await stagehand.browser.context.pages();
  await page.goto(SITE + "/");
  assert.equal(await page.title(), "Start");
  await page.locator("#name").fill(name);
  const observed = await stagehand.observe("find the button that greets");
  assert.equal(observed.data.length, 1, JSON.stringify(observed));
  assert.equal(observed.data[0].method, "click");
  assert.equal(await page.locator(observed.data[0].selector).textContent(), "Greet");
  const acted = await stagehand.act("press the button that greets");
  assert.equal(acted.data?.success ?? acted.success, true, JSON.stringify(acted));
  const extracted = await stagehand.extract("the greeting", z.object({ greeting: z.string() }));
  assert.deepEqual(extracted.data, { greeting: "Hello " + name });
}

async function status(id) {
  return (await client.sessions.retrieve(id)).status;
}

let steps = 0;
async function step(name, what) {
  const begun = performance.now();
  try {
    await what();
  } catch (err) {
    console.error(`step "${name}" failed`);
    throw err;
  }
  console.log(`${name}: ${Math.round(performance.now() - begun)} ms`);
  steps++;
}

await step("launch", async () => {
  const browser = await browserbase.launch({ apiKey, baseUrl });
  const stagehand = await Stagehand.create({ browser, apiUrl, logging: quiet });
  assert.equal(await status(browser.sessionId), "RUNNING");
  await work(stagehand, "Ada");
  const page = await browser.context.newPage(SITE + "/");
  assert.equal(await page.title(), "Start");
  await stagehand.close();
  await browser.close();
  assert.equal(await status(browser.sessionId), "COMPLETED");
});

const upload = await client.extensions.create({ file: new File([await getExtensionArchive()], "stagehand.zip") });
const session = await client.sessions.create({ extensionId: upload.id, keepAlive: true });

await step("connect", async () => {
  const browser = await browserbase.connect({ apiKey, baseUrl, sessionId: session.id });
  const stagehand = await Stagehand.create({ browser, apiUrl, logging: quiet });
  await work(stagehand, "Grace");
  await stagehand.close();
  await browser.disconnect();
  assert.equal(await status(session.id), "RUNNING");
});

// generate asks the same model, for a Stagehand that knows of no service.
async function generate({ systemPrompt, messages, responseFormat }) {
  const text = (content) => [content].flat().map((block) => block.text ?? "").join("\n");
  const res = await fetch(apiUrl + "/v1/llm/responses", {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({
      input: [{ role: "system", content: systemPrompt }, ...messages.map((m) => ({ role: m.role, content: [{ type: "input_text", text: text(m.content) }] }))],
      text: { format: responseFormat },
    }),
  });
  const said = (await res.json()).output[0].content[0].text;
  return { role: "assistant", content: { type: "text", text: said }, outputFormat: "json_schema", structuredContent: JSON.parse(said) };
}

await step("connect by the URL", async () => {
  const browser = await localBrowser.connect({ cdpUrl: session.connectUrl });
  const stagehand = await Stagehand.create({ browser, model: { generate }, logging: quiet });
  await work(stagehand, "Edsger");
  await stagehand.close();
  await browser.disconnect();
});

await step("without the extension", async () => {
  const plain = await client.sessions.create({ keepAlive: true });
  await assert.rejects(localBrowser.connect({ cdpUrl: plain.connectUrl }), /extensionId/);
  await client.sessions.update(plain.id, { status: "REQUEST_RELEASE" });
});

await client.sessions.update(session.id, { status: "REQUEST_RELEASE" });
await client.extensions.delete(upload.id, { headers: { "Content-Type": null } });
console.log(`all ${steps} steps passed`);
process.exit(0);
