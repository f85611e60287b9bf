// Pictures with parts that can be clicked.
const areaLimit = 200;

// areasOf are those of a picture that do something.
function areasOf(img) {
  const map = mapNamed(rootOf(img), attr(img, "usemap"));
  return map ? [...allIn(map, "area")].slice(0, areaLimit).filter((a) => has(a, "href") || has(a, "onclick") || listening.has(a)) : [];
}

function mapNamed(root, usemap) {
  const name = usemap?.replace(/^#/, "");
  return name && (root instanceof Document || root instanceof ShadowRoot) ? [...allIn(root, "map")].find((m) => attr(m, "name") === name) : null;
}

// pictureOf is the picture that an area is a part of; null for none.
function pictureOf(area) {
  const name = attr(closest(area, "map") ?? area, "name");
  const root = rootOf(area);
  if (!name || !(root instanceof Document || root instanceof ShadowRoot)) return null;
  return [...allIn(root, "img[usemap]")].find((img) => attr(img, "usemap").replace(/^#/, "") === name) ?? null;
}

// areaRect is the box around an area, in the window.
function areaRect(area) {
  const img = pictureOf(area);
  if (!img) return new DOMRect();
  const at = ownRectOf(img);
  const n = (attr(area, "coords") ?? "").split(/[\s,]+/).map(Number).filter(Number.isFinite);
  switch ((attr(area, "shape") ?? "rect").toLowerCase()) {
    case "default": return at;
    case "circle": case "circ": return n.length < 3 ? new DOMRect() : new DOMRect(at.left + n[0] - n[2], at.top + n[1] - n[2], 2 * n[2], 2 * n[2]);
  }
  const xs = n.filter((_, i) => i % 2 === 0), ys = n.filter((_, i) => i % 2 === 1);
  if (ys.length < 2) return new DOMRect();
  const left = Math.min(...xs), top = Math.min(...ys);
  return new DOMRect(at.left + left, at.top + top, Math.max(...xs) - left, Math.max(...ys) - top);
}
