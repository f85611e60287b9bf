// Plays operations, one a line, on a queue of the memory storage, and answers each
// with a line: what it returned, and what the queue is then.
const { MemoryStorage } = require('@crawlee/memory-storage');
const readline = require('node:readline');

let now = 0;
Date.now = () => now;

async function main() {
  const storage = new MemoryStorage({ persistStorage: false, writeMetadata: false });
  const { id } = await storage.requestQueues().getOrCreate();
  const queue = storage.requestQueue(id);
  const inner = storage.requestQueuesHandled.find((q) => q.id === id);
  const play = {
    add: (o) => queue.batchAddRequests(o.urls.map((url) => ({ url, uniqueKey: url })), { forefront: o.forefront }),
    lock: (o) => queue.listAndLockHead({ limit: 25, lockSecs: o.seconds }),
    update: (o) => queue.updateRequest({ id: o.id, url: o.urls[0], uniqueKey: o.urls[0], ...(o.handled && { handledAt: new Date(now).toISOString() }) }, { forefront: o.forefront }),
    unlock: (o) => queue.deleteRequestLock(o.id, { forefront: o.forefront }).catch(() => undefined),
    nothing: () => undefined,
  };
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const o = JSON.parse(line);
    now = o.at;
    const result = await play[o.op](o);
    const requests = [...inner.requests.entries()];
    const orders = {};
    for (const [key, entry] of requests) orders[key] = (await entry.get()).orderNo;
    const { pendingRequestCount, handledRequestCount } = inner;
    console.log(JSON.stringify({ result, orders, pendingRequestCount, totalRequestCount: requests.length, handledRequestCount }));
  }
}

main();
