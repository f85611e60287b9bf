package extract

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhatAmountsAndTimesSay shapes pages whose amounts are to be read as their
// language and their own words say: nothing is off by a thousand, and no price
// is for another measure than the page names.
func TestWhatAmountsAndTimesSay(t *testing.T) {
	const (
		event   = `{"@type":"Event","name":"Fair","startDate":"2024-07-07T20:30:00+02:00","endDate":"2024-07-08"}`
		persons = `{"@type":"Article","headline":"Fair","author":[{"@type":"Person","name":"Ann Lee"},{"@type":"Person","name":"Bo Kim"}]}`
		job     = `{"@type":"JobPosting","title":"Baker","baseSalary":{"@type":"MonetaryAmount","currency":"EUR","value":{"@type":"QuantitativeValue","minValue":"2.800","maxValue":"3.200"}}}`
		room    = `{"@type":"Product","name":"Room","offers":{"@type":"Offer","priceCurrency":"EUR","priceSpecification":{"@type":"UnitPriceSpecification","price":80,"unitText":"night"}}}`
	)
	for _, c := range []struct{ lang, props, body, want string }{
		{"de", "salaryMin salaryMax", "<p>Gehalt: 2.800 - 3.200 € pro Monat</p>", `{"salaryMin":2800,"salaryMax":3200}`},
		{"de", "salaryMin salaryMax", "<p>Gehalt: 28.000 - 32.500 EUR</p>", `{"salaryMin":28000,"salaryMax":32500}`},
		{"es", "salaryMin salaryMax", "<p>Salario: 1.800 - 2.200 €</p>", `{"salaryMin":1800,"salaryMax":2200}`},
		{"it", "salaryMin salaryMax", "<p>Stipendio: 1.800 - 2.200 €</p>", `{"salaryMin":1800,"salaryMax":2200}`},
		{"en", "salaryMin salaryMax", script(job), `{"salaryMin":2.8,"salaryMax":3.2}`},
		{"en", "minPrice maxPrice", "<p>Price: £1,299 – £1,499</p>", `{"minPrice":1299,"maxPrice":1499}`},
		{"en", "minPrice maxPrice", "<p>Price: £1,299</p>", `{}`},
		{"de", "powerW powerKW", "<p>Leistung: 2.200 W</p>", `{"powerW":2200,"powerKW":2.2}`},

		{"en", "price pricePerKg", "<p>£4.60</p><p>£5.75 / kg</p>", `{"price":4.6,"pricePerKg":5.75}`},
		{"en", "unitPrice:number:price|per|kilogram", "<p>£4.60</p><p>£5.75 / kg</p>", `{"unitPrice":5.75}`},
		{"en", "price pricePerKg pricePerMetre pricePerPerson pricePerHour pricePerDay pricePerNight pricePerLitre", "<p>Price: £30</p>", `{"price":30}`},
		{"en", "price pricePerPerson pricePerNight", "<p>Price: £80 per night</p>", `{"price":80,"pricePerNight":80}`},
		{"en", "price pricePerPerson pricePerNight", "<p>Price: £80/night</p>", `{"price":80,"pricePerNight":80}`},
		{"en", "price pricePerPerson pricePerNight", "<p>Price: £20 pp</p>", `{"price":20,"pricePerPerson":20}`},
		{"en", "price pricePerPerson pricePerNight", "<p>Price per night: £80</p>", `{"price":80,"pricePerNight":80}`},
		{"en", "pricePerKg pricePerSqm", "<p>Price: 80 €/m²</p>", `{"pricePerSqm":80}`},
		{"en", "pricePerPerson pricePerNight", "<div><span class=price>£80</span> <span>per night</span></div>", `{"pricePerNight":80}`},
		{"en", "pricePerPerson pricePerNight", "<div>2 rooms <span class=price>£80</span> <span>per night</span></div>", `{"pricePerNight":80}`},
		{"en", "pricePerPerson pricePerNight", script(room), `{"pricePerNight":80}`},
		{"en", "price:number:price|per|night", "<p>Price: £80</p>", `{"price":80}`},
		{"en", "price:number:price|per|night", "<p>Price: £20 per person</p>", `{}`},

		{"en", "shippingWeight weight", "<p>Weight: 2 kg</p>", `{"weight":2}`},
		{"en", "shippingWeight weight", "<p>Shipping weight: 3 kg</p><p>Weight: 2 kg</p>", `{"shippingWeight":3,"weight":2}`},

		{"en", "startTime:string endTime:string startDate:string", "<p>Date: 7–9 July 2024</p>", `{"startDate":"2024-07-07"}`},
		{"en", "startTime:string endTime:string", "<p>When: 7 July 2024, 8:30 PM – 10 PM</p>", `{"startTime":"20:30:00","endTime":"22:00:00"}`},
		{"en", "startTime:string endTime:string startDateTime:string", script(event), `{"startTime":"20:30:00+02:00","startDateTime":"2024-07-07T20:30:00+02:00"}`},
		{"en", "startTime:string:start|date|and|time", script(event), `{"startTime":"2024-07-07T20:30:00+02:00"}`},

		{"en", "startTime:string endTime:string", "<table><tr><th>Start time<td>9:30 AM<tr><th>End time<td>11:00</table>", `{"startTime":"09:30:00","endTime":"11:00:00"}`},
		{"en", "startTime:string", "<p>Date: 7 July 2024</p><p>Start time: 8:30 PM</p>", `{"startTime":"20:30:00"}`},
		{"de", "latitude longitude", "<p>Latitude: 48.137</p><p>Longitude: 11.575</p>", `{"latitude":48.137,"longitude":11.575}`},

		{"en", "author:string", script(persons), `{"author":"Ann Lee, Bo Kim"}`},
		{"en", "author:string", script(`{"@type":"Article","name":"Fair","author":["Ann Lee","Bo Kim"]}`), `{"author":"Ann Lee, Bo Kim"}`},
		{"en", "author:string", "<meta name=author content='Ann Lee'><meta name=author content='Bo Kim'><p>It rains.</p>", `{"author":"Ann Lee, Bo Kim"}`},

		{"en", "cuisine:string keywords:string course:string", "<div class=recipe-tags><div class=recipe-tag-box><span class=recipe-course-label>Course</span> <span class=recipe-course>Soup</span></div> <div class=recipe-tag-box><span class=recipe-cuisine-label>Cuisine:</span> <span class=recipe-cuisine>French</span></div></div>", `{"cuisine":"French","course":"Soup"}`},
		{"en", "keywords:string telephone:string", `<script type="application/json">{"keywords":false,"phone":true,"a":1}</script>`, `{}`},

		{"en", "price free:boolean isFree:boolean", "<p>Date: 7 July 2024</p><p>Tickets: Free</p>", `{"price":0,"free":true,"isFree":true}`},
		{"en", "price startDate:string", "<p>Date: 7 July 2024</p><p>Price: Free</p>", `{"price":0,"startDate":"2024-07-07"}`},
		{"en", "price startDate:string", "<p>Date: 7 July 2024</p><p class=price>Free entry</p>", `{"price":0,"startDate":"2024-07-07"}`},
		{"de", "price isFree:boolean", "<p>Datum: 7. Juli 2024</p><p>Eintritt: Kostenlos</p>", `{"price":0,"isFree":true}`},
		{"en", "price isFree:boolean", "<p>Date: 7 July 2024</p><p>Parking: Free</p>", `{}`},
		{"en", "price isFree:boolean", "<p>SKU: A-12</p><p>Price: Free</p>", `{}`},
	} {
		t.Run(c.props+" "+c.body, func(t *testing.T) {
			page := "<html lang=" + c.lang + "><body><h1>Fair</h1>" + c.body
			if got := string(shaped(t, page, schemaOf(c.props), ShapeOptions{}).Content); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestCostWithItsCurrency has an object for a price under another name than that.
func TestCostWithItsCurrency(t *testing.T) {
	const members = `{"type":"object","properties":{"amount":{"type":"number"},"currency":{"type":"string"}}}`
	for _, name := range []string{"price", "cost"} {
		schema := `{"type":"object","properties":{"` + name + `":` + members + `}}`
		want := `{"` + name + `":{"amount":4.6,"currency":"GBP"}}`
		if got := string(shaped(t, "<h1>Tea</h1><p>£4.60</p>", schema, ShapeOptions{}).Content); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func script(data string) string { return `<script type="application/ld+json">` + data + `</script>` }

// schemaOf writes a schema of properties, of which each is a name, a type that
// is a number where none is given, and a description.
func schemaOf(props string) string {
	var all []string
	for prop := range strings.FieldsSeq(props) {
		name, rest, _ := strings.Cut(prop, ":")
		kind, about, _ := strings.Cut(rest, ":")
		if kind == "" {
			kind = "number"
		}
		all = append(all, fmt.Sprintf(`%q:{"type":%q,"description":%q}`, name, kind, strings.ReplaceAll(about, "|", " ")))
	}
	return `{"type":"object","properties":{` + strings.Join(all, ",") + `}}`
}
