// Finding the input that files are put into.

// fileInputOf is the file input that an element is, or that it labels; null if
// there is none.
function fileInputOf(n) {
  const el = elementOf(n);
  const input = el instanceof HTMLLabelElement ? el.control : el;
  return input instanceof HTMLInputElement && input.type === "file" ? input : null;
}

function present(n) {
  if (!elementOf(n)) return { state: "stale" };
  return { state: "ok", kind: fileInputOf(n) ? "file" : "" };
}
