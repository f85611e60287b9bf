import { defineFn } from "@browserbasehq/sdk-functions";
import { chromium } from "playwright-core";
import { z } from "zod";

enum Mark {
  Read = "read",
}

defineFn(
  "read-title",
  async (context, params: { url: string; mark?: string }) => {
    console.log("connecting");
    const browser = await chromium.connectOverCDP(context.session.connectUrl);
    const page = browser.contexts()[0].pages()[0] ?? (await browser.contexts()[0].newPage());
    await page.goto(params.url);
    const title = await page.title();
    const size = page.viewportSize() ?? (await page.evaluate(() => ({ width: innerWidth, height: innerHeight })));
    await browser.close();
    return { mark: Mark.Read + params.mark, title, width: size.width, session: context.session.id };
  },
  {
    parametersSchema: z.object({ url: z.url(), mark: z.string().default("!") }),
    sessionConfig: { browserSettings: { viewport: { width: 777, height: 600 } } },
  },
);

defineFn("fail", async () => {
  throw new RangeError("out of luck");
});

defineFn("nothing", async () => undefined);
