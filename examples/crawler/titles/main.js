import { CheerioCrawler } from "@crawlee/cheerio";
import { Actor } from "apify";

await Actor.init();
const { start } = await Actor.getInput();
const crawler = new CheerioCrawler({
  maxRequestsPerCrawl: 100,
  async requestHandler({ request, $, enqueueLinks }) {
    await Actor.pushData({ url: request.loadedUrl, title: $("title").text() });
    await enqueueLinks(); // those that lead to the same host
  },
});
const { requestsFinished } = await crawler.run([start]);
await Actor.exit(`${requestsFinished} pages`);
