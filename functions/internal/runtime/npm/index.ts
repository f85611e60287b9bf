import { defineFn } from "@browserbasehq/sdk-functions";

// What a test asks for, in one function of each kind.
defineFn("echo", async (context: any, params: any) => ({ params, session: context.session, secrets: context.secrets }));
defineFn("nothing", async () => undefined);
defineFn("fails", async () => {
  throw new TypeError("no luck");
});
defineFn("exits", async () => process.exit(3));
defineFn("large", async (_: any, params: any) => "x".repeat(params.bytes));
defineFn("prints", async () => {
  console.log("to the log");
  console.error("to the log, too");
  return 1;
});
