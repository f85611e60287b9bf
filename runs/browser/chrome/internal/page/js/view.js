// What lies outside the view, and how far there is to scroll.
const tenths = (n) => Math.round(Math.max(n, 0) * 10) / 10;

// roomOf says how far an element can be scrolled, in heights and widths of
// itself: up, down, left and right.
function roomOf(el, [width, height]) {
  const [x, y] = [scrollPlace[0](el), scrollPlace[1](el)];
  const far = [tenths(y / height), tenths((scrollSize[1](el) - height - y) / height),
    tenths(Math.abs(x) / width), tenths((scrollSize[0](el) - width - Math.abs(x)) / width)];
  return far.some((n) => n > 0) ? far : null;
}

// overflowOf says what becomes of content that is larger than its element;
// null where nothing does.
function overflowOf(el, style) {
  if (style.overflowX === "visible") return null; // the other axis is, too, or clips what nobody scrolls
  const size = [clientSize[0](el), clientSize[1](el)];
  const over = [scrollSize[0](el) > size[0] + 1, scrollSize[1](el) > size[1] + 1];
  if (!(over[0] || over[1]) || size[0] < 8 || size[1] < 8) return null;
  const how = [style.overflowX, style.overflowY];
  const does = (axis, words) => over[axis] && words.test(how[axis]);
  const scrolls = /^(auto|scroll)$/, clips = /^(auto|scroll|hidden|clip)$/;
  if (!(does(0, clips) || does(1, clips))) return null;
  return { scroll: does(0, scrolls) || does(1, scrolls) ? roomOf(el, size) : null };
}

// windowOf is the part of the window that can be seen of this frame.
const windowOf = (view) => view ?? [0, 0, innerWidth, innerHeight];

// narrowed is what of a rectangle (left, top, right, bottom) lies in el.
function narrowed([left, top, right, bottom], el) {
  const r = rectOf(el);
  return [Math.max(left, r.left), Math.max(top, r.top), Math.min(right, r.right), Math.min(bottom, r.bottom)];
}

// outOf says on which side of a rectangle something lies; "" for within.
function outOf([left, top, right, bottom], r) {
  if (r.bottom <= top || r.right <= left) return "above";
  return r.top >= bottom || r.left >= right ? "below" : "";
}

// pageScroll is that of the window.
function pageScroll() {
  const el = getter(Document.prototype, "scrollingElement")(document);
  if (!el) return null;
  const size = [innerWidth, innerHeight];
  const room = scrollSize[1](el) > size[1] + 1 || scrollSize[0](el) > size[0] + 1;
  return room ? roomOf(el, size) : null;
}
