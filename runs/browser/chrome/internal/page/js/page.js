// What a document says of itself. It is asked for after every action, so it
// does without the rest of the code being there.
(() => {
  const get = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
  const status = performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0;
  const title = get("title");
  return { url: location.href, title: title.length > 4000 ? title.slice(0, 4000) + "…" : title, ready: get("readyState"), status };
})()
