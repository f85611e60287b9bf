// Closed shadow roots cannot be reached from here. Elements that may have one are
// suspects: the host asks the browser about them, and hands the roots over.
const hostTags = new Set("article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "));
const suspectLimit = 300;
const asked = new WeakMap(); // how an element looked when it was asked about
let suspects = [];

function suspect(el, tag) {
  const custom = tag.includes("-");
  if (!(custom || hostTags.has(tag)) || suspects.length >= suspectLimit || !isHTML(el) || shadowOf(el)) return;
  if (!custom && !showsNoChild(el)) return;
  const rect = rectOf(el);
  const looks = `${rect.width} ${rect.height} ${!custom || matches(el, ":defined")}`;
  if (asked.get(el) === looks) return;
  asked.set(el, looks);
  suspects.push(el);
}

// showsNoChild reports whether nothing of el's own is shown: it has no children,
// or a shadow root stands in their place, so that they have no style.
function showsNoChild(el) {
  for (let n = firstChildOf(el); n; n = nextOf(n)) {
    if (isElement(n)) return getComputedStyle(n).display === "";
    if (isText(n) && /\S/.test(textValueOf(n))) return false;
  }
  return true;
}

// takeSuspects hands out those that have not been asked about.
function takeSuspects() {
  const all = suspects;
  suspects = [];
  return all;
}

// adopt takes shadow roots from the host.
function adopt(roots) {
  let n = 0;
  for (const root of roots) {
    if (!(root instanceof ShadowRoot) || closedRoots.has(hostOf(root))) continue;
    closedRoots.set(hostOf(root), root);
    n++;
  }
  return n;
}

// The listeners in a shadow root are asked for by root: again when more or fewer
// elements are in it.
const askedRoots = new WeakMap();
const rootLimit = 100;
let newRoots = [];

function noteRoot(el) {
  const root = shadowOf(el);
  if (!root || newRoots.length >= rootLimit) return;
  const n = allIn(root, "*").length;
  if (askedRoots.get(root) === n) return;
  askedRoots.set(root, n);
  newRoots.push(root);
}

// takeRoots hands out those that have not been asked about.
function takeRoots() {
  const all = newRoots;
  newRoots = [];
  return all;
}

// Scripts that listen for events are not seen from here either: the host says
// for which elements there are any, and of which kind.
const listening = new WeakMap();

function listens(elements, kinds) {
  for (const [i, el] of elements.entries()) {
    if (!(el instanceof Element) || ownerOf(el) !== document) continue;
    listening.set(el, kinds[i]);
    for (let root = rootOf(el); root instanceof ShadowRoot; root = rootOf(hostOf(root))) {
      if (!openRootOf(hostOf(root))) closedRoots.set(hostOf(root), root);
    }
  }
}

const pressable = "a[href],button,input,select,textarea,summary,[role],[tabindex],[onclick],[contenteditable]";

// heeds reports whether an element does something of its own when
// it is pressed, or takes what is dropped. What holds other things that can be
// pressed, or most of the window, listens for them; so does what holds rows, which
// are added to those given.
function heeds(el, tag, rows) {
  const kind = listening.get(el);
  if (!kind || tag === "body" || tag === "html") return false;
  if (kind === "drop") return true;
  const held = rowsOf(el, tag);
  for (const row of held) rows.add(row);
  if (held.length > 0) return false;
  const rect = rectOf(el);
  if (rect.width < 4 || rect.height < 4 || rect.width * rect.height > (innerWidth * innerHeight) / 4) return false;
  return !find(el, pressable);
}

const rowHolders = new Set("ul ol menu table tbody".split(" "));
const rowLimits = { few: 2, most: 500 };

// rowsOf are the things in an element that it listens for: rows, points of a list,
// or children that are all alike. What can be pressed itself is none.
function rowsOf(el, tag) {
  if (!isHTML(el)) return [];
  const all = rowHolders.has(tag) ? [...allIn(el, "li,tr")] : alike([...allIn(el, ":scope > *")]);
  const rows = all.slice(0, rowLimits.most).filter((row) => !find(row, pressable) && !find(row, "li,tr"));
  return rows.length >= rowLimits.few ? rows : [];
}

// alike are children that are all of one tag and class; none where one is not.
function alike(all) {
  const [first] = all;
  if (!first || all.length < rowLimits.few || !attr(first, "class")) return [];
  const same = (c) => tagOf(c) === tagOf(first) && attr(c, "class").split(/\s+/)[0] === attr(first, "class").split(/\s+/)[0];
  return all.every((c) => has(c, "class") && same(c)) ? all : [];
}
