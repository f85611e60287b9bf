import { defineFn } from "@browserbasehq/sdk-functions";
import { chromium } from "playwright-core";
import { z } from "zod";

// Every defineFn makes a function that can be invoked by its name. The browser of an
// invocation opens when the program connects to it, and closes when the program has
// returned.
defineFn(
  "title",
  async (context, params) => {
    const browser = await chromium.connectOverCDP(context.session.connectUrl);
    const page = browser.contexts()[0].pages()[0];
    await page.goto(params.url);
    console.log(`read ${page.url()}`); // goes to the log of the invocation
    return { title: await page.title() }; // the result, as JSON
  },
  { parametersSchema: z.object({ url: z.string() }) },
);
