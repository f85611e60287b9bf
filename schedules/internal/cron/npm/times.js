// Reads lines of JSON, {expression, zone, from, until, most}, and writes for each the times
// that are due, in seconds since 1970.
import { createInterface } from "node:readline";
import { CronExpressionParser } from "cron-parser";

for await (const line of createInterface({ input: process.stdin })) {
	const { expression, zone, from, until, most } = JSON.parse(line), all = [];
	try {
		const times = CronExpressionParser.parse(expression, { currentDate: new Date(from * 1000), tz: zone });
		for (let at = 0; all.length < most && times.hasNext(); all.push(at)) {
			if ((at = times.next().getTime() / 1000) >= until) break;
		}
		console.log(JSON.stringify({ times: all }));
	} catch (err) {
		console.log(JSON.stringify({ error: String(err.message) }));
	}
}
