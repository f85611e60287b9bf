// Pushes items to a dataset of the memory storage and lists them, as often as it is told,
// and answers each line with the seconds that both took.
const { MemoryStorage } = require('@crawlee/memory-storage');
const readline = require('node:readline');

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { items, times, directory } = JSON.parse(line);
    const text = JSON.stringify(items);
    const storage = new MemoryStorage({ persistStorage: Boolean(directory), localDataDirectory: directory, writeMetadata: false });
    const { id } = await storage.datasets().getOrCreate();
    const dataset = storage.dataset(id);
    let from = process.hrtime.bigint();
    for (let i = 0; i < times; i++) await dataset.pushItems(text);
    const pushed = process.hrtime.bigint() - from;
    from = process.hrtime.bigint();
    let count = 0;
    for (let i = 0; i < times; i++) {
      const page = await dataset.listItems({ offset: i * items.length, limit: items.length });
      count += JSON.stringify(page.items).length; // what a client would be sent
    }
    console.log(JSON.stringify({ push: Number(pushed) / 1e9, list: Number(process.hrtime.bigint() - from) / 1e9, bytes: count }));
    await storage.teardown();
  }
}

main();
