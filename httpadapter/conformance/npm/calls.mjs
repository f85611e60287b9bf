// What has been called of the classes of a client. Their methods are found on their
// prototypes, so that one which a later version adds is missed here, and not by its users.
import assert from "node:assert/strict";

// watch records the calls of all methods of classes, by "Class.method".
export function watch(classes) {
  const all = new Set(), called = new Set();
  for (const [name, of] of Object.entries(classes)) {
    for (const method of Object.getOwnPropertyNames(of.prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(of.prototype, method);
      if (method === "constructor" || method.startsWith("_") || typeof value !== "function") continue;
      all.add(`${name}.${method}`);
      of.prototype[method] = function (...args) {
        called.add(`${name}.${method}`);
        return value.apply(this, args);
      };
    }
  }
  return { all, called };
}

// covered asserts that all methods have been called but for those that have an excuse, and
// that no excuse is of a method that is not there, or has been called.
export function covered({ all, called }, excuses) {
  assert.ok(all.size > 20, `only ${all.size} methods were found`);
  assert.deepEqual([...all].filter((m) => !called.has(m)).sort(), Object.keys(excuses).sort());
}
