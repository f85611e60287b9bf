// A crawler as people write it, on the unmodified packages: it follows the links of a
// site.
import { CheerioCrawler } from "@crawlee/cheerio";
import { Actor } from "apify";

// Measurements have the same process ask another host, or none and keep all in files.
const { ASK_ANOTHER, ASK_NOBODY } = process.env;
if (ASK_ANOTHER) process.env.APIFY_API_BASE_URL = ASK_ANOTHER;
if (ASK_NOBODY) {
	delete process.env.APIFY_IS_AT_HOME;
	process.env.CRAWLEE_STORAGE_DIR = "./storage";
}

await Actor.init();
const { start, queue, strays, proxy, least = 2, most = 10 } = await Actor.getInput() ?? JSON.parse(ASK_NOBODY);

const crawler = new CheerioCrawler({
	requestQueue: queue && await Actor.openRequestQueue(queue),
	proxyConfiguration: proxy && await Actor.createProxyConfiguration(proxy),
	minConcurrency: least,
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
