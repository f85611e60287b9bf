// An Actor as people write it, on the unmodified packages.
import { Actor, log } from "apify";

await Actor.init();
const input = await Actor.getInput();
log.info("begun", { n: input.n });
const saw = { input: input.n, secret: input.secret };

await Actor.pushData([{ n: 1 }, { n: 2 }]);
await Actor.pushData({ n: 3 });
saw.items = (await (await Actor.openDataset()).getData()).items.map(i => i.n).join();

const queue = await Actor.openRequestQueue();
await queue.addRequests([{ url: "http://site.example/1" }, { url: "http://site.example/2" }]);
const first = await queue.fetchNextRequest();
saw.first = first.url;
await queue.markRequestHandled(first);
await queue.reclaimRequest(await queue.fetchNextRequest());
saw.handled = await queue.handledCount();

const named = await Actor.openKeyValueStore("sdk-state");
await named.setValue("seen", { times: ((await named.getValue("seen"))?.times ?? 0) + 1 });
saw.times = (await named.getValue("seen")).times;
await Actor.setValue("text", "ü", { contentType: "text/plain; charset=utf-8" });
saw.text = await Actor.getValue("text");

await Actor.setStatusMessage("half way");
saw.message = (await Actor.apifyClient.run(Actor.getEnv().actorRunId).get()).statusMessage;
saw.user = (await Actor.apifyClient.user().get()).username;
try {
	saw.foreign = (await Actor.apifyClient.dataset(input.foreign.slice(1)).listItems()).total;
} catch (err) {
	saw.foreign = err.statusCode + " " + err.type;
}
const hook = { eventTypes: ["ACTOR.RUN.SUCCEEDED"], requestUrl: input.receiver, idempotencyKey: "end of " + Actor.getEnv().actorRunId };
const added = await Actor.addWebhook(hook);
saw.hook = added.isAdHoc && added.condition.actorRunId === Actor.getEnv().actorRunId;
saw.sameHook = (await Actor.addWebhook(hook)).id === added.id; // as after a migration

const called = await Actor.call("default/echo", { from: "sdk" });
saw.called = called.status;
saw.result = (await Actor.apifyClient.keyValueStore(called.defaultKeyValueStoreId).getRecord("OUTPUT")).value.from;

const charged = [await Actor.charge({ eventName: "item", count: 3 }), await Actor.charge({ eventName: "item", count: 3 })];
saw.charged = charged.map(c => c.chargedCount + " " + c.eventChargeLimitReached).join();
await Actor.charge({ eventName: "without-a-price" });

await Actor.setValue("OUTPUT", saw);
await Actor.exit("all is done");
