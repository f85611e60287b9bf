// What a document says of itself. It is asked for after every action, so it
// does without the rest of the code being there.
(() => {
  const get = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const status = performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0;
  return { url: location.href, title: get("title").slice(0, 4000), ready: get("readyState"), status };
})()
