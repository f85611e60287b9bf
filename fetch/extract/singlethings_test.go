package extract

import (
	"strings"
	"testing"
)

// TestOneThingUndeclared has pages about one thing that declare nothing, in the markup of widely used
// software and of sites written by hand.
func TestOneThingUndeclared(t *testing.T) {
	const (
		event = `<title>Choir in spring</title><main><article class=evenement><h1>Choir in spring</h1><p class=date>18 April 2026<p class=lieu>St Ambrose, Leeds<p>The choir sings Fauré.</article></main>`
		boxes = `<title>Beekeeping</title><main><h1>Beekeeping</h1><div><div class=fact><h4>Start date</h4><p>5 May 2026</div><div class=fact><h4>Fee</h4><p>£120</div><div class=fact><h4>Duration</h4><p>6 weeks</div><div class=fact><h4>Tutor</h4><p>Owen Rhys</div></div></main>`
		side  = `<title>Go meetup | Codenorth</title><div class=event-page><h1>Go meetup</h1><div class=event-sidebar><div><div class=detail-label>Date and time</div><div>Tue, 9 June 2026, 18:30 – 21:00</div></div><div><div class=detail-label>Location</div><div>Platform, Leeds</div></div></div></div>`
		home  = `<title>Flat</title><main><h1>Bright flat</h1><div><div><strong>780 €</strong><span>Kaltmiete</span></div><div><strong>74 m²</strong><span>Wohnfläche</span></div></div><ul><li>3 rooms<li>1 bathroom<li>92 sq m</ul></main>`
		firm  = `<title>Contact | Penrose Dental</title><main><h1>Contact us</h1><div class=row><div class=col><h3>Call</h3><p><a href="tel:+441872555019">+441872555019</a></div><div class=col><h3>Write</h3><p><a href="mailto:hello@penrose.example">hello@penrose.example</a></div></div></main>`
		who   = `<title>Ines Varga</title><main><h1>Ines Varga</h1><h2>Curator of maps</h2><p><a href="mailto:i.varga@maps.example">i.varga@maps.example</a><h2>Biography</h2><p>She draws rivers.</main>`
		job   = `<title>Baker</title><main><h1>Baker</h1><table><tr><th>Salary<td>£26,000 - £30,000 per year</table><h2>What you bring</h2><ul><li>Two years at an oven<li>A light sleep</ul><h2>What we offer</h2><ul><li>Bread<li>28 days of leave</ul></main>`
		notes = `<title>Tinker 3.2.0</title><main><h1>Tinker 3.2.0</h1><p>Released on 4 February 2026</p></main>`
		text  = `<title>A pond</title><main><article><h1>A pond</h1><p>By Tess Moor</p><h2>Digging</h2><p>Two days.</p><h2>Planting</h2><p>Irises.</p></article><div id=respond><h3>Leave a reply</h3><form><p>Your address is not shown.</p><textarea></textarea></form></div></main>`
		site  = `<title>Pond</title><meta property=og:site_name content="Mossy Days"><h1>Pond</h1>`
		cast  = `<title>Ice</title><h1>Ice</h1><dl><dt>Drehbuch:<dd>Lea Brandt, Tom Zimmer<dt>Laufzeit:<dd>104 Minuten</dl>`
		reply = `<title>Apples</title><main><article><h1>Apples</h1><p>Old sorts.</article><section id=comments><h2>Write a comment</h2><form><label>Name <input></label><textarea></textarea></form></section></main>`
		hour  = `<title>Porter</title><main><h1>Porter</h1><div><div><h3>Pay</h3><p>£12.60 an hour</div><div><h3>Job type</h3><p>Part-time</div></div></main>`
		law   = `<title>Contact Us - Juniper Law</title><main><h1>Contact Us</h1><p>Tel. 020 7946 0000</main>`
		later = `<title>Fair</title><main><h1>Fair</h1><dl><dt>Date<dd>5 December 2099<dt>Venue<dd>Market square</dl></main>`
	)
	for _, c := range []struct{ name, page, schema, want string }{
		{"classes in an event", event, `{"properties":{"name":{"type":"string"},"date":{"type":"string","format":"date"},"location":{"type":"string"},"published":{"type":"string"}}}`, `{"name":"Choir in spring","date":"2026-04-18","location":"St Ambrose, Leeds"}`},
		{"headings above values", boxes, `{"title":"Course","properties":{"startDate":{"type":"string","format":"date"},"price":{"type":"number"},"duration":{"type":"string"},"instructor":{"type":"string"},"published":{"type":"string"}}}`, `{"startDate":"2026-05-05","price":120,"duration":"6 weeks","instructor":"Owen Rhys"}`},
		{"the side of an event", side, `{"properties":{"startDate":{"type":"string"},"endDate":{"type":"string"},"location":{"type":"string"}}}`, `{"startDate":"2026-06-09T18:30:00","endDate":"2026-06-09T21:00:00","location":"Platform, Leeds"}`},
		{"figures above labels", home, `{"properties":{"kaltmiete":{"type":"number"},"wohnflaeche":{"type":"string"},"rooms":{"type":"integer"},"bathrooms":{"type":"integer"}}}`, `{"kaltmiete":780,"wohnflaeche":"74 m²","rooms":3,"bathrooms":1}`},
		{"a page to reach a firm", firm, `{"properties":{"name":{"type":"string"},"telephone":{"type":"string"},"email":{"type":"string"}}}`, `{"name":"Penrose Dental","telephone":"+441872555019","email":"hello@penrose.example"}`},
		{"what somebody does", who, `{"properties":{"name":{"type":"string"},"role":{"type":"string"},"bio":{"type":"string"}}}`, `{"name":"Ines Varga","role":"Curator of maps","bio":"She draws rivers."}`},
		{"parts of a vacancy", job, `{"title":"Job","properties":{"salaryMin":{"type":"number"},"salaryPeriod":{"type":"string"},"requirements":{"type":"array","items":{"type":"string"}},"benefits":{"type":"array","items":{"type":"string"}}}}`, `{"salaryMin":26000,"salaryPeriod":"year","requirements":["Two years at an oven","A light sleep"],"benefits":["Bread","28 days of leave"]}`},
		{"a version in the title", notes, `{"properties":{"version":{"type":"string"},"releaseDate":{"type":"string","format":"date"}}}`, `{"version":"3.2.0","releaseDate":"2026-02-04"}`},
		{"sections of a text", text, `{"properties":{"sections":{"type":"array","items":{"type":"string"}},"comments":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"}}}}}}`, `{"sections":["Digging","Planting"]}`},
		{"no comment yet", reply, `{"title":"Article","properties":{"headline":{"type":"string"},"comments":{"type":"array","items":{"type":"object","properties":{"author":{"type":"string"},"text":{"type":"string"}}}}}}`, `{"headline":"Apples"}`},
		{"pay for an hour", hour, `{"properties":{"pay":{"type":"number"},"pay_period":{"type":"string"},"employmentType":{"type":"string"}}}`, `{"pay":12.6,"pay_period":"hour","employmentType":"Part-time"}`},
		{"a firm in the title", law, `{"properties":{"name":{"type":"string"},"telephone":{"type":"string"}}}`, `{"name":"Juniper Law","telephone":"020 7946 0000"}`},
		{"the name of the site", site, `{"properties":{"site":{"type":"string"},"domain":{"type":"string"}}}`, `{"site":"Mossy Days","domain":"example.com"}`},
		{"several people", cast, `{"properties":{"drehbuch":{"type":"array","items":{"type":"string"}}}}`, `{"drehbuch":["Lea Brandt","Tom Zimmer"]}`},
		{"a day to come", later, `{"properties":{"date":{"type":"string","format":"date"},"venue":{"type":"string"},"published":{"type":"string"}}}`, `{"date":"2099-12-05","venue":"Market square"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(shaped(t, c.page, c.schema, ShapeOptions{}).Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestOneThingDeclared has what things say of themselves for machines in objects: when a firm is open, how
// often a film was seen, the answers that nobody has accepted.
func TestOneThingDeclared(t *testing.T) {
	for _, c := range []struct{ name, thing, schema, want string }{
		{"hours", `{"@type":"Bakery","name":"Crumb","openingHoursSpecification":[{"@type":"OpeningHoursSpecification","dayOfWeek":["Monday","Tuesday"],"opens":"07:00","closes":"15:00"},{"@type":"OpeningHoursSpecification","dayOfWeek":"https://schema.org/Saturday","opens":"08:00","closes":"12:00"}]}`,
			`{"properties":{"openingHours":{"type":"array","items":{"type":"string"}},"hours":{"type":"string"}}}`, `{"openingHours":["Monday, Tuesday 07:00-15:00","Saturday 08:00-12:00"],"hours":"Monday, Tuesday 07:00-15:00\nSaturday 08:00-12:00"}`},
		{"counters", `{"@type":"VideoObject","name":"Knots","interactionStatistic":[{"@type":"InteractionCounter","interactionType":{"@type":"WatchAction"},"userInteractionCount":15320},{"@type":"InteractionCounter","interactionType":"https://schema.org/LikeAction","userInteractionCount":412}]}`,
			`{"properties":{"viewCount":{"type":"integer"},"likes":{"type":"integer"},"commentCount":{"type":"integer"}}}`, `{"viewCount":15320,"likes":412}`},
		{"answers", `{"@type":"QAPage","mainEntity":{"@type":"Question","name":"May cheese freeze?","acceptedAnswer":{"@type":"Answer","text":"Yes."},"suggestedAnswer":[{"@type":"Answer","text":"Hard cheese only."}]}}`,
			`{"properties":{"answers":{"type":"array","items":{"type":"string"}}}}`, `{"answers":["Yes.","Hard cheese only."]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := `<script type="application/ld+json">` + c.thing + `</script><h1>Page</h1>`
			if got := string(shaped(t, page, c.schema, ShapeOptions{}).Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestDaysOfOthersAreNotOfThePage says which days are none of publication.
func TestDaysOfOthersAreNotOfThePage(t *testing.T) {
	for name, page := range map[string]string{
		"heads of a table":  `<h1>Opening times</h1><table><tr><th>Day<th>12 Jan 2026<th>13 Jan 2026<tr><td>Morning<td>7–12<td>closed</table>`,
		"releases":          `<h1>Release notes</h1><h2>2.1.0 (2025-11-20)</h2><ul><li>Dark mode</ul><h2>2.0.3 (2025-08-02)</h2><ul><li>Fewer crashes</ul>`,
		"a cell":            `<h1>Peugeot 208</h1><table><tr><td>Mise en circulation<td>17/05/2021<tr><td>Marque<td>Peugeot</table>`,
		"a class of events": `<h1>Watercolour</h1><p class=event-date-start>March 14, 2026</p><p>Bring a brush.</p>`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(shaped(t, page, `{"properties":{"published":{"type":"string"}}}`, ShapeOptions{}).Content); got != `{}` {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestDaysToCome has days that are announced, which stay, and those on which no text was written.
func TestDaysToCome(t *testing.T) {
	const fairs = `{"properties":{"events":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"date":{"type":"string"}}}}}}`
	both := `{"events":[{"name":"Spring fair","date":"2091-05-03"},{"name":"Autumn fair","date":"2091-10-04"}]}`
	for _, c := range []struct{ page, schema, want string }{
		{script(`{"@context":"https://schema.org","@type":"Event","name":"Fair","startDate":"2091-05-03T18:00"}`), `{"properties":{"name":{"type":"string"},"date":{"type":"string"}}}`, `{"name":"Fair","date":"2091-05-03T18:00:00"}`},
		{`<table><tr><th>Name<th>Date<tr><td>Spring fair<td>2091-05-03<tr><td>Autumn fair<td>2091-10-04</table>`, fairs, both},
		{`<ul><li class=event><h3>Spring fair</h3><span class=date>2091-05-03</span><li class=event><h3>Autumn fair</h3><span class=date>2091-10-04</span></ul>`, fairs, both},
		{script(`{"@context":"https://schema.org","@type":"Product","name":"Lamp","releaseDate":"2091-05-03"}`), `{"properties":{"releaseDate":{"type":"string"}}}`, `{"releaseDate":"2091-05-03"}`},
		{script(`{"@context":"https://schema.org","@type":"Movie","name":"Ice","dateCreated":"2091-05-03"}`), `{"properties":{"dateCreated":{"type":"string"}}}`, `{"dateCreated":"2091-05-03"}`},
		{script(`{"@context":"https://schema.org","@type":"Book","name":"Ice","datePublished":"2091-05-03"}`), `{"properties":{"datePublished":{"type":"string"}}}`, `{"datePublished":"2091-05-03"}`},
		{script(`{"@context":"https://schema.org","@type":"MusicAlbum","name":"Ice","releaseDate":"1970-01-01"}`), `{"properties":{"releaseDate":{"type":"string"}}}`, `{"releaseDate":"1970-01-01"}`},
		{script(`{"@context":"https://schema.org","@type":"Event","name":"Ice","startDate":"1970-01-01"}`), `{"properties":{"startDate":{"type":"string"}}}`, `{"startDate":"1970-01-01"}`},
		{script(`{"@context":"https://schema.org","@type":"Article","headline":"Ice","datePublished":"2091-05-03"}`), `{"properties":{"datePublished":{"type":"string"}}}`, `{}`},
		{script(`{"@context":"https://schema.org","@type":"Article","headline":"Ice","datePublished":"1970-01-01"}`), `{"properties":{"datePublished":{"type":"string"}}}`, `{}`},
	} {
		if got := string(shaped(t, c.page, c.schema, ShapeOptions{}).Content); got != c.want {
			t.Errorf("%s: got %s, want %s", c.page, got, c.want)
		}
	}
}

// TestDaysOfThePage says which days are those of publication though they stand in tables and headings,
// or below classes of events.
func TestDaysOfThePage(t *testing.T) {
	text := strings.Repeat(`<p>Words of a text that goes on and on, of ponds and what grows in them.</p>`, 12)
	for name, page := range map[string]string{
		"the class of the body":  `<body class="single event"><h1>F</h1><p>By Ann Lee | May 3, 2024</p>` + text,
		"a post of an event":     `<div class="post event"><h1>F</h1><p>By Ann Lee | May 3, 2024</p>` + text + `</div>`,
		"a part of a word":       `<h1>F</h1><p class=prevention-date>May 3, 2024</p>` + text,
		"another part of a word": `<h1>F</h1><p class=determination-date>May 3, 2024</p>` + text,
		"a heading aside":        `<h1>F</h1><h3>3 May 2024</h3>` + text + `<aside><h3>1 May 2024</h3></aside>`,
		"a table of layout":      `<table><tr><td><h1>F</h1><p>3 May 2024</p><p>Short.</table>`,
		"a label":                `<h1>F</h1><table><tr><td>Posted<td>3 May 2024</table>`,
	} {
		if got := string(shaped(t, page, `{"properties":{"published":{"type":"string"}}}`, ShapeOptions{}).Content); got != `{"published":"2024-05-03"}` {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestOnlyLooksLikeAValue has pages on which something looks like a value of what is not asked for.
func TestOnlyLooksLikeAValue(t *testing.T) {
	steps := `{"properties":{"location":{"type":"string"},"date":{"type":"string"},"price":{"type":"number"},"description":{"type":"string"},"author":{"type":"string"}}}`
	one := func(name, kind string) string { return `{"properties":{"` + name + `":{"type":"` + kind + `"}}}` }
	for _, c := range []struct{ page, schema, want string }{
		{`<h1>How to buy</h1><div><span>1</span><span>Location</span></div><div><span>2</span><span>Date</span></div><div><span>3</span><span>Price</span></div>`, steps, `{}`},
		{`<h1>Parts</h1><div><span>12</span><span>Description</span></div><div><span>14</span><span>Author</span></div>`, steps, `{}`},
		{`<h1>Year</h1><div><span>2024</span><span>Price</span></div><div><span>2023</span><span>Brand</span></div>`, steps, `{}`},
		{script(`{"@context":"https://schema.org","@type":"Article","headline":"Lamp","interactionStatistic":{"@type":"InteractionCounter","interactionType":"https://schema.org/CommentAction","userInteractionCount":53}}`) + `<h1>Lamp</h1><div class=comment><p>I like this a lot.</p></div>`,
			`{"properties":{"comments":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"}}}}}}`, `{"comments":[{"text":"I like this a lot."}]}`},
		{`<h1>Intro</h1><p>One.</p><h1>Middle</h1><p>Two.</p><h1>End</h1><p>Three.</p>`, `{"properties":{"sections":{"type":"array","items":{"type":"string"}}}}`, `{"sections":["Intro","Middle","End"]}`},
		{`<title>Contact: a novel - Shop</title><h1>Contact</h1><p class=price>€9.00</p><button>Add to cart</button>`, `{"title":"Product","properties":{"name":{"type":"string"},"price":{"type":"number"}}}`, `{"name":"Contact","price":9}`},
		{`<title>Contact (1997) - Reels</title><h1>Contact</h1>`, `{"title":"Movie","properties":{"name":{"type":"string"}}}`, `{"name":"Contact"}`},
		{`<h1>Baker</h1><table><tr><th>Salary<td>£26,000 - £30,000 per annum, 5 days a week</table>`, one("salaryPeriod", "string"), `{"salaryPeriod":"year"}`},
		{`<h1>Bäcker</h1><table><tr><th>Gehalt<td>30.000 € brutto pro Jahr (5 Tage pro Woche)</table>`, one("salaryPeriod", "string"), `{"salaryPeriod":"year"}`},
		{`<h1>Baker</h1><table><tr><th>Salary<td>£30,000 plus a day off</table>`, one("salaryPeriod", "string"), `{}`},
		{`<h1>Meeting of 12.05.2024</h1>`, one("version", "string"), `{}`},
		{`<h1>Moved to 10.0.0.1</h1>`, one("version", "string"), `{}`},
		{`<h1>Staff</h1><ul><li><h3>Ann Lee</h3><a href="mailto:ann@x.example">Mail</a><p>Cook<li><h3>Bo Day</h3><p>Baker<li><h3>Cy Roe</h3><p>Waiter</ul>`, one("email", "string"), `{}`},
		{`<h1>Firm</h1><a href="tel:%208442045619">Call us</a>`, one("telephone", "string"), `{"telephone":"8442045619"}`},
		{`<h1>Offers</h1><div><div class=card><h3>Brand</h3><p>€9.00</p></div><div class=card><h3>Model</h3><p>€8.00</p></div></div>`, one("brand", "string"), `{}`},
		{`<h1>Shop</h1><div><div class=card><h3>Brand</h3><p>Shop all brands</p></div><div class=card><h3>Category</h3><p>Shop all categories</p></div></div>`, one("brand", "string"), `{}`},
		{`<h1>Lamp</h1><p class=rating-icons>4.5</p>`, one("rating", "number"), `{"rating":4.5}`},
		{`<h1>Hall</h1><p class=status-bar>Open</p>`, one("status", "string"), `{"status":"Open"}`},
		{`<h1>FAQ</h1><h2>How do I search?</h2><form><p>Type a word.</p><input></form><h2>Do you ship?</h2><p>Yes.</p>`, `{"properties":{"questions":{"type":"array","items":{"type":"object","properties":{"question":{"type":"string"},"answer":{"type":"string"}}}}}}`, `{"questions":[{"question":"How do I search?","answer":"Type a word."},{"question":"Do you ship?","answer":"Yes."}]}`},
		{`<meta property=og:site_name content="Mossy Days"><h1>Pond</h1>`, `{"properties":{"site":{"type":"string","pattern":"^[a-z.]+$"}}}`, `{"site":"example.com"}`},
		{`<h1>Paint</h1><p>Covers:</p><p>12 m²</p><p>5 rooms</p><p class=price>€9.00</p><button>Add to cart</button>`, one("rooms", "integer"), `{}`},
	} {
		if got := string(shaped(t, c.page, c.schema, ShapeOptions{}).Content); got != c.want {
			t.Errorf("%s: got %s, want %s", c.page, got, c.want)
		}
	}
}

// Books and programs may have authors that are called as nobody is.
func TestAuthorsOfWorks(t *testing.T) {
	got := string(shaped(t, `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Book","name":"Beowulf","author":"Anonymous"}</script>`,
		`{"properties":{"name":{"type":"string"},"author":{"type":"string"}}}`, ShapeOptions{}).Content)
	if want := `{"name":"Beowulf","author":"Anonymous"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
