package chrome_test

import "testing"

var stateCases = []snapshotCase{
	{"states of ARIA", `
<button aria-expanded=false aria-haspopup=menu>Menu</button><button aria-expanded=true>Open</button>
<div role=tablist><button role=tab aria-selected=true>One</button><button role=tab aria-selected=false>Two</button></div>
<div role=checkbox tabindex=0 aria-checked=mixed>Some</div><div role=checkbox tabindex=0 aria-checked=true>All</div>
<nav><a href=/ aria-current=page>Home</a></nav><div role=listbox aria-label=L aria-multiselectable=true aria-busy=true><div role=option aria-selected=true>o</div></div>
<table><tr><th aria-sort=ascending>Name<th aria-sort=none>Age</table>
<div role=textbox tabindex=0 aria-required=true aria-readonly=true aria-label=R></div><div draggable=true>Card</div>
<div role=tree><div role=treeitem aria-level=2 aria-expanded=false>Node</div></div>`, `
button "Menu" [ref] collapsed haspopup
button "Open" [ref] expanded
tablist ""
  tab "One" [ref] selected
  tab "Two" [ref]
checkbox "Some" [ref] mixed
checkbox "All" [ref] checked
navigation ""
  link "Home" [ref] current
listbox "L" [ref] multiple busy
  option "o" [ref] selected
table ""
  row ""
    columnheader "Name" ascending
    columnheader "Age"
textbox "R" [ref] required readonly
generic "Card" [ref] draggable
tree ""
  treeitem "Node" [ref] level=2 collapsed
`},
	{"states of HTML", `
<input aria-label=a required><input aria-label=b readonly value=v><input type=checkbox aria-label=c id=c><script>c.indeterminate=true</script>
<select aria-label=s multiple><option selected>A<option>B<option selected>C</select>
<input type=number aria-label=n min=1 max=9 step=2><input type=range aria-label=g max=7><progress aria-label=p value=3 max=4></progress><meter aria-label=m value=.5></meter>
<details open><summary>D</summary>inside</details>
<button popovertarget=pop>P</button><div id=pop popover>popped</div><button id=f>F</button><script>f.focus()</script>`, `
textbox "a" [ref] required
textbox "b" [ref] value="v" readonly
checkbox "c" [ref] type=checkbox mixed
listbox "s" [ref] value="A, C" of [A B C] multiple
spinbutton "n" [ref] type=number 1..9/2
slider "g" [ref] value="4" type=range 0..7/
progressbar "p" value="3" ..4/
meter "m" value="0.5"
button "D" [ref] expanded
text "inside"
button "P" [ref] collapsed
button "F" [ref] focused
`},
	{"descriptions and errors", `
<input aria-label=a aria-describedby=d><p id=d>At least 8 characters</p><button title="Saves the draft">Save</button><button aria-label=Close title=Close>x</button>
<input aria-label=e aria-invalid=true aria-errormessage=em value=x><p id=em>Not an address</p><input aria-label=h aria-describedby=hid><p id=hid hidden>Hidden hint</p>
<button aria-description=Extra>B</button>`, `
textbox "a" [ref] (At least 8 characters)
text "At least 8 characters"
button "Save" [ref] (Saves the draft)
button "Close" [ref]
textbox "e" [ref] value="x" error="Not an address" invalid
text "Not an address"
textbox "h" [ref] (Hidden hint)
button "B" [ref] (Extra)
`},
	{"the focus of a list", `
<input role=combobox aria-label=City aria-expanded=true aria-controls=lb aria-activedescendant=o2 id=i>
<ul role=listbox id=lb aria-label=Cities><li role=option id=o1>Rome</li><li role=option id=o2 aria-selected=true>Oslo</li></ul><script>i.focus()</script>`, `
combobox "City" [ref] expanded focused
listbox "Cities" [ref]
  option "Rome" [ref]
  option "Oslo" [ref] selected active
`},
	{"a modal dialog leaves nothing else to be used", `
<button>Behind</button><dialog id=d aria-label=Sure><button>Yes</button></dialog><script>d.showModal()</script>`, `
button "Behind"
dialog "Sure" modal
  button "Yes" [ref] focused
`},
	{"listeners of scripts", `
<div id=a>Listens</div><div id=wrap><p>Text</p><button>Inside</button></div><span id=q>Property</span><div id=zone>Drop here <a href=/>x</a></div><p>Nothing</p>
<table><tr><td id=cell>&nbsp;</td></tr></table><div id=big style="height:2000px"><p>Large</p></div>
<script>const on = (id, e) => document.getElementById(id).addEventListener(e, () => 1);
on('a', 'click'); on('wrap', 'click'); on('zone', 'drop'); on('cell', 'mousedown'); on('big', 'click'); q.onclick = () => 1; document.addEventListener('click', () => 1); document.body.addEventListener('click', () => 1)</script>`, `
generic "Listens" [ref]
text "Text"
button "Inside" [ref]
generic "Property" [ref]
generic "" [ref]
  text "Drop here"
  link "x" [ref]
text "Nothing"
table ""
  row ""
    cell "" [ref]
text "Large"
`},
	{"canvas and media", `<canvas width=20 height=10 aria-label=Chart></canvas><canvas width=20 height=10>Fallback <b>text</b></canvas><video aria-label=Film controls></video>`, `
canvas "Chart" [ref]
canvas "" [ref] (Fallback text)
video "Film" [ref]
`},
	{"what is scrolled out", `
<body style="margin:0"><div style="height:100px;overflow:auto" id=box><div style="height:40px">First</div><div style="height:160px">Second</div><div style="height:100px">Third</div></div>
<div style="height:50px;overflow:hidden"><div style="height:60px">Cut</div><div>Clipped</div></div><p style="margin-top:3000px">Far</p><script>box.scrollTop = 50</script>`, `
generic "" [ref] scroll=&{0.5 1.5 0 0}
  text "First" above
  text "Second"
  text "Third" below
text "Cut"
text "Clipped" below
text "Far" below
`},
	{"closed shadow roots", `
<x-card>light</x-card><div id=h></div><x-late></x-late><p id=slotted>Given</p><x-slot><em>slot me</em></x-slot>
<script>
customElements.define('x-card', class extends HTMLElement { constructor() { super();
  this.attachShadow({mode:'closed'}).innerHTML = '<label>Closed <input value=v></label><x-in></x-in>'; } });
customElements.define('x-in', class extends HTMLElement { connectedCallback() { this.attachShadow({mode:'closed'}).innerHTML = '<div><button>Deep</button></div>'; } });
customElements.define('x-slot', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'closed'}).innerHTML = '<h2>Title</h2><slot></slot>'; } });
const open = h.attachShadow({mode:'closed'}); open.innerHTML = '<section id=s></section>';
open.getElementById('s').attachShadow({mode:'open'}).innerHTML = '<a href=/in>Link</a>';
</script>`, `
textbox "Closed" [ref] value="v"
button "Deep" [ref]
link "Link" [ref]
text "Given"
heading "Title" level=2
text "slot me"
`},
	{"what is in a picture of vectors", `
<svg width=200 height=60><a href="/in"><rect width=40 height=40 /><text y=20>Link</text></a><g role=button tabindex=0 aria-label="Zoom in"><circle cx=70 cy=20 r=15 /></g><text x=100 y=20>Axis</text></svg>
<svg width=200 height=60><path d="M100 0h40v40h-40z" style="cursor:pointer"><title>West</title></path><defs><text>unseen</text></defs></svg>
<svg width=50 height=20 role=img aria-label=Chart><text y=20>5</text><rect width=9 height=9 onclick="x()"></rect></svg><button>Go <svg width=9 height=9><text>x</text></svg></button>
<svg width=50 height=50><circle id=c cx=20 cy=20 r=15 /></svg><script>c.addEventListener('click', () => 1)</script>`, `
link "Link" [ref]
button "Zoom in" [ref]
text "Axis"
generic "West" [ref]
img "Chart"
  generic "" [ref]
button "Go x" [ref]
generic "" [ref]
`},
	{"what is in an editor", `
<div contenteditable aria-label=Plain><p>One</p><p>Two <b>bold</b></p></div>
<div contenteditable role=textbox aria-label=Page><h1>Plan</h1><p><input type=checkbox aria-label=Milk> Buy milk</p><button contenteditable=false>Comments</button><table><tr><td>A</table></div>
<div role=textbox tabindex=0 aria-label=Word>crane</div><div role=searchbox tabindex=0 aria-label=Q>query <a href=/>x</a></div><div role=textbox aria-label=V aria-valuetext=said>shown</div>`, `
textbox "Plain" [ref] value="One Two bold"
textbox "Page" [ref] value="Plan Milk Buy milk Comments A"
  heading "Plan" level=1
  checkbox "Milk" [ref] type=checkbox
  text "Buy milk"
  button "Comments" [ref]
  table ""
    row ""
      cell "A"
textbox "Word" [ref] value="crane"
searchbox "Q" [ref] value="query x"
  link "x" [ref]
textbox "V" [ref] value="said"
`},
	{"parts of pictures", `
<img usemap="#m" width=50 height=50 alt="World map" src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><map name=m><area shape=rect coords=0,0,25,50 href="/west" alt=West><area coords="1,2" alt=Nothing></map>`, `
img "World map"
link "West" [ref]
`},
	{"rows that something around them listens for", `
<ul id=menu><li>File</li><li>Edit</li></ul><table id=tb><tr><td>One</td><td>1</td></tr><tr><td>Two</td><td>2</td></tr></table>
<div id=list><div class="item x">First</div><div class=item>Second</div></div><ul id=own><li><a href=/a>A</a></li><li><a href=/b>B</a></li></ul>
<script>for (const e of [menu, tb, list, own]) e.addEventListener('click', () => 1)</script>`, `
list ""
  listitem "File" [ref]
  listitem "Edit" [ref]
table ""
  row "" [ref]
    cell "One"
    cell "1"
  row "" [ref]
    cell "Two"
    cell "2"
generic "First" [ref]
generic "Second" [ref]
list ""
  listitem ""
    link "A" [ref]
  listitem ""
    link "B" [ref]
`},
	{"what opens under the pointer", `
<style>.sub{display:none} .it:hover > .sub{display:block} .plain:hover b{color:red} @media all { .fade b{opacity:0} .fade:hover b{opacity:1} }</style>
<div class=it>Products<div class=sub><a href=/deep>Deep</a></div></div><div class=it>Nothing in it</div><p class=plain>Only <b>red</b></p><p class=fade>Fades <b>in</b></p>`, `
generic "Products" [ref] haspopup
text "Nothing in it"
text "Only red"
generic "Fades" [ref] haspopup
`},
	{"texts that styles make up", `
<style>.i::before{content:"Trash"} .req::after{content:" (required)"} .n::before{content:"\\f00c"} .a::after{content:attr(data-unit)} p.b::before{content:"• "}</style>
<button class=i></button><label class=req>Name <input></label><button class=n aria-label=Check></button><span class=a data-unit=" EUR">5</span><p class=b>Point</p><x-b></x-b>
<script>customElements.define('x-b', class extends HTMLElement { constructor() { super(); this.attachShadow({mode:'open'}).innerHTML = '<style>i::after{content:"Save"}</style><button><i></i></button>'; } })</script>`, `
button "Trash" [ref]
textbox "Name (required)" [ref]
button "Check" [ref]
text "5 EUR"
text "Point"
button "Save" [ref]
`},
}

func TestSnapshotTellsStates(t *testing.T) {
	t.Parallel()
	checkSnapshots(t, stateCases)
}
