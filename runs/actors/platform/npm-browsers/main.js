// Crawlers as people write them, on the unmodified packages and a browser that the host
// has.
import { PlaywrightCrawler } from "@crawlee/playwright";
import { PuppeteerCrawler } from "@crawlee/puppeteer";
import { Actor } from "apify";

await Actor.init();
const { start, library, proxy } = await Actor.getInput();

const crawler = new { playwright: PlaywrightCrawler, puppeteer: PuppeteerCrawler }[library]({
	proxyConfiguration: proxy && await Actor.createProxyConfiguration(proxy),
	minConcurrency: 2,
	maxConcurrency: 2,
	maxRequestRetries: 2,
	async requestHandler({ request, response, page, enqueueLinks, proxyInfo }) {
		if (response.status() >= 500) throw new Error(`status ${response.status()}`);
		await Actor.pushData({ url: request.loadedUrl, status: response.status(), title: await page.title(), retries: request.retryCount, proxy: proxyInfo?.hostname });
		await enqueueLinks({ strategy: "same-hostname" });
	},
	async failedRequestHandler({ request }) {
		await Actor.pushData({ url: request.url, failed: true });
	},
});
const { requestsFinished, requestsFailed } = await crawler.run([start]);
await Actor.setValue("OUTPUT", { requestsFinished, requestsFailed });
await Actor.exit(`${requestsFinished} pages`);
