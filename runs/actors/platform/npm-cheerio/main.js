// A crawler as people write it, on the unmodified packages: it follows the links of a
// site.
import { CheerioCrawler } from "@crawlee/cheerio";
import { Actor } from "apify";

await Actor.init();
const { start, queue, strays, proxy, most = 10 } = await Actor.getInput();

const crawler = new CheerioCrawler({
	requestQueue: queue && await Actor.openRequestQueue(queue),
	proxyConfiguration: proxy && await Actor.createProxyConfiguration(proxy),
	minConcurrency: 2,
	maxConcurrency: most,
	maxRequestRetries: 2,
	preNavigationHooks: [({ request }) => { request.headers["x-run"] = Actor.getEnv().actorRunId; }],
	async requestHandler({ request, response, $, enqueueLinks, proxyInfo }) {
		await Actor.pushData({ url: request.loadedUrl, status: response.statusCode, title: $("title").text(), retries: request.retryCount, proxy: proxyInfo?.hostname });
		await enqueueLinks({ strategy: strays ? "all" : "same-hostname" });
	},
	async failedRequestHandler({ request }) {
		await Actor.pushData({ url: request.url, failed: true });
	},
});
const { requestsFinished, requestsFailed } = await crawler.run([start]);
await Actor.setValue("OUTPUT", { requestsFinished, requestsFailed });
await Actor.exit(`${requestsFinished} pages`);
