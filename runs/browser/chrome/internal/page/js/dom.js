// Safe access to a page's tree. The code runs in an isolated world, so the page
// cannot replace a prototype's methods here. What it can do is give elements
// names that hide the properties of forms and of the document
// (<input name="attributes"> in a form, <img name="body">), so properties are
// read through the prototypes' own getters, never as element.property.
const bind = Function.prototype.call.bind(Function.prototype.bind, Function.prototype.call);
const getter = (proto, name) => bind(Object.getOwnPropertyDescriptor(proto, name).get);
const setter = (proto, name) => bind(Object.getOwnPropertyDescriptor(proto, name).set);

const parentOf = getter(Node.prototype, "parentNode");
const firstChildOf = getter(Node.prototype, "firstChild");
const nextOf = getter(Node.prototype, "nextSibling");
const kindOf = getter(Node.prototype, "nodeType");
const textValueOf = getter(Node.prototype, "nodeValue");
const connected = getter(Node.prototype, "isConnected");
const rootOf = bind(Node.prototype.getRootNode);
const contains = bind(Node.prototype.contains);
const tagOf = getter(Element.prototype, "localName");
const spaceOf = getter(Element.prototype, "namespaceURI");
const attr = bind(Element.prototype.getAttribute);
const has = bind(Element.prototype.hasAttribute);
const hasAny = bind(Element.prototype.hasAttributes);
const attrNames = bind(Element.prototype.getAttributeNames);
const openRootOf = getter(Element.prototype, "shadowRoot");
const assignedOf = bind(HTMLSlotElement.prototype.assignedNodes);
const slotOf = getter(Element.prototype, "assignedSlot");
const boxesOf = bind(Element.prototype.getClientRects);
const ownRectOf = bind(Element.prototype.getBoundingClientRect);
// The parts of pictures have no boxes of their own.
const rectOf = (el) => (el instanceof HTMLAreaElement ? areaRect(el) : ownRectOf(el));
const rectsOf = (el) => (el instanceof HTMLAreaElement ? [areaRect(el)] : boxesOf(el));
const seen = bind(Element.prototype.checkVisibility);
const matches = bind(Element.prototype.matches);
const closest = bind(Element.prototype.closest);
const childCount = getter(Element.prototype, "childElementCount");
const wholeTextOf = getter(Node.prototype, "textContent");
const rangeRect = bind(Range.prototype.getBoundingClientRect);
const find = bind(Element.prototype.querySelector);
const findAll = bind(Document.prototype.querySelectorAll);
const clientSize = [getter(Element.prototype, "clientWidth"), getter(Element.prototype, "clientHeight")];
const scrollSize = [getter(Element.prototype, "scrollWidth"), getter(Element.prototype, "scrollHeight")];
const scrollPlace = [getter(Element.prototype, "scrollLeft"), getter(Element.prototype, "scrollTop")];
const ownerOf = getter(Node.prototype, "ownerDocument");
const scrollInto = bind(Element.prototype.scrollIntoView);
const scrollTo = (el, how) => scrollInto((el instanceof HTMLAreaElement && pictureOf(el)) || el, how);
const command = bind(Document.prototype.execCommand);
const focus = bind(HTMLElement.prototype.focus);
const innerTextOf = getter(HTMLElement.prototype, "innerText");
const hostOf = getter(ShadowRoot.prototype, "host");
const rootElement = () => getter(Document.prototype, "documentElement")(document);
const doctypeOf = () => getter(Document.prototype, "doctype")(document);
const byIdIn = (root, id) =>
  (root instanceof Document ? bind(Document.prototype.getElementById) : bind(DocumentFragment.prototype.getElementById))(root, id);
const hitIn = (root, x, y) =>
  (root instanceof Document ? bind(Document.prototype.elementFromPoint) : bind(ShadowRoot.prototype.elementFromPoint))(root, x, y);
const hitsAt = bind(Document.prototype.elementsFromPoint);
const activeIn = (root) =>
  getter(root instanceof Document ? Document.prototype : ShadowRoot.prototype, "activeElement")(root);
const emit = bind(EventTarget.prototype.dispatchEvent);
const listen = bind(EventTarget.prototype.addEventListener);
const unlisten = bind(EventTarget.prototype.removeEventListener);
const pathOf = bind(Event.prototype.composedPath);

const isElement = (node) => node !== null && kindOf(node) === 1;
const isText = (node) => kindOf(node) === 3;
const isHTML = (el) => spaceOf(el) === "http://www.w3.org/1999/xhtml";

// shadowOf is the shadow root of an element, a closed one, too, once it has been
// handed over.
const closedRoots = new WeakMap();
const shadowOf = (el) => openRootOf(el) ?? closedRoots.get(el) ?? null;

// childrenOf are the children that are shown: those of the shadow root in
// place of the host's own, and those assigned to a slot in place of the slot's.
function childrenOf(el) {
  const shadow = shadowOf(el);
  if (!shadow && el instanceof HTMLSlotElement) {
    const assigned = assignedOf(el);
    if (assigned.length > 0) return assigned;
  }
  const all = [];
  for (let n = firstChildOf(shadow ?? el); n; n = nextOf(n)) all.push(n);
  return all;
}

// holdsAny reports whether childrenOf may be any.
const holdsAny = (el) => firstChildOf(el) !== null || shadowOf(el) !== null || tagOf(el) === "slot";

// shownParentOf is the way back up: out of slots and shadow roots.
function shownParentOf(node) {
  const slot = isElement(node) ? slotOf(node) : null;
  const parent = slot ?? parentOf(node);
  return parent instanceof ShadowRoot ? hostOf(parent) : parent;
}

// within reports whether node is el, or shown inside it.
function within(node, el) {
  for (let n = node; n; n = shownParentOf(n)) if (n === el) return true;
  return false;
}

// Deeper trees come only from scripts that mean harm: parsers stop at 512.
const nestingLimit = 600;

const fold = (s) => s.replace(/[\s\u00a0]+/g, " ").trim();

// cut says so where it leaves something out: half a value of a variable is
// known by that.
const cut = (s, limit) => (s.length > limit ? s.slice(0, limit) + "…" : s);

// The things that forms hold are read by type: no page can hide these, since
// only forms and the document let names hide properties.
const fieldTags = new Set(["input", "textarea", "select"]);
const isField = (el) => fieldTags.has(tagOf(el)) && isHTML(el);

// Passwords stay secret when the page shows them ("show password" turns the
// type into text), so what was ever seen to be one is remembered.
const passwords = new WeakSet();
function isSecret(el) {
  if (!(el instanceof HTMLInputElement)) return false;
  if (el.type === "password") passwords.add(el);
  return passwords.has(el) || /password/i.test(attr(el, "autocomplete") ?? "");
}
