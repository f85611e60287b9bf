package mention

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/schema"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct{ text, lang, want string }{
		{"12", "", "12"}, {" -3.50 ", "", "-3.5"}, {"1e3", "", "1e3"}, {"007", "", "7"}, {"0.5", "", "0.5"},
		{"1.234,56", "", "1234.56"}, {"1,234.56", "", "1234.56"}, {"1 234,56", "", "1234.56"}, {"1\u00a0234,56 €", "", "1234.56"}, {"1'234.50", "", "1234.5"},
		{"1,234,567", "", "1234567"}, {"1.234.567", "", "1234567"}, {"12,34,567.50", "en-IN", "1234567.5"},
		{"1,234", "en", "1234"}, {"1,234", "de", "1.234"}, {"1.234", "de", "1.234"}, {"1.234 Stück", "de", "1234"}, {"1.234 items", "en", "1.234"}, {"1.234 €", "en", "1234"}, {"1.299", "de-CH", "1.299"},
		{"€12", "", "12"}, {"$1,299.00", "", "1299"}, {"CHF 1'200.–", "", "1200"}, {"12,- €", "", "12"}, {"USD12", "", "12"}, {"R$ 1.299,90", "pt-BR", "1299.9"}, {"44 890 тг.", "", "44890"},
		{"from 12 €", "", "12"}, {"ab 9,99 €", "de", "9.99"}, {"10–12", "", "10"}, {"€40 - €60", "", "40"}, {"4.5 out of 5", "", "4.5"}, {"4,5/5", "", "4.5"}, {"4 von 5 Sternen", "", "4"},
		{"20 %", "", "20"}, {"1.2k", "", "1200"}, {"3M", "", "3000000"}, {"2,5 Mio. €", "de", "2500000"}, {"5 km", "", "5"}, {"320 kcal", "", "320"}, {"320kcal", "", "320"}, {"(1,234 ratings)", "en", "1234"}, {"-5 °C", "", "-5"}, {"Price: 12", "", "12"},
		{"A4", "", ""}, {"L-7", "", ""}, {"12-A", "", ""}, {"#5", "", ""}, {"3 x 4 cm", "", ""}, {"call 12 or 13", "", ""}, {"there are about 12 of them left here", "", ""}, {"none", "", ""}, {"", "", ""},
		{"1/4 cup", "", "0.25"}, {"1½", "", "1.5"}, {"½ cup", "", "0.5"}, {"2-1/2", "", "2.5"}, {"1⁄2", "", "0.5"}, {"3.5/4", "", "3.5"}, {"1/2/2024", "", ""}, {"1/2 to 3/4 cup", "", "0.5"},
		{"(1,200)", "", "1200"}, {"(€5.90)", "", "5.9"}, {"2023 1/2", "", ""}, {"(57)", "", "57"}, {"(4.5)", "", "4.5"}, {"5'11\"", "", ""}, {"<5 %", "", ""},
		{"3 miljoner", "sv", "3000000"}, {"5 тыс.", "ru", "5000"}, {"12万円", "ja", "120000"}, {"2.5 lakh", "en-IN", "250000"},
		{"1.2345k", "", ""}, {"1.23.45", "", ""}, {"1,23,45", "", ""}, {strings.Repeat("9", 401), "", ""}, {"1e999", "", ""},
	} {
		got, ok := Number(c.text, c.lang)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q in %q: got %q, %v, want %q", c.text, c.lang, got, ok, c.want)
		}
	}
	for text, want := range map[string]string{"4 servings": "4", "4.0": "4", "4.5": "", "1e3": ""} {
		if got, _ := Count(text, ""); got != want {
			t.Errorf("the count of %q is %q, want %q", text, got, want)
		}
	}
}

func TestMoment(t *testing.T) {
	for _, c := range []struct{ text, lang, want string }{
		{"2024-05-03", "", "2024-05-03"}, {"20240503", "", "2024-05-03"}, {"2024-05-03T10:00:00Z", "", "2024-05-03T10:00:00Z"}, {"2024-05-03 10:00", "", "2024-05-03T10:00:00"},
		{"2024-05-03T10:00:00.120+0200", "", "2024-05-03T10:00:00.12+02:00"}, {"Fri, 03 May 2024 10:00:00 GMT", "", "2024-05-03T10:00:00Z"},
		{"3 May 2024", "", "2024-05-03"}, {"May 3, 2024", "", "2024-05-03"}, {"May 3rd, 2024 at 10:30 PM", "", "2024-05-03T22:30:00"}, {"Published on 3 May 2024", "", "2024-05-03"}, {"3rd of May 2024", "", "2024-05-03"},
		{"3. Mai 2024, 10:30 Uhr", "de", "2024-05-03T10:30:00"}, {"3. März 2024", "de", "2024-03-03"}, {"le 3 août 2024", "fr", "2024-08-03"}, {"1er janvier 2024", "fr", "2024-01-01"}, {"3 de mayo de 2024", "es", "2024-05-03"},
		{"3 maggio 2024", "it", "2024-05-03"}, {"3 de março de 2024", "pt", "2024-03-03"}, {"3 mei 2024", "nl", "2024-05-03"}, {"03.05.2024", "", "2024-05-03"}, {"2024/05/03", "", "2024-05-03"}, {"3 May 2024, 8 PM", "en", "2024-05-03T20:00:00"}, {"3 May 2024, 8:30 PM BST", "en", "2024-05-03T20:30:00"}, {"3 May 2024 at 20:00 (CET)", "en", "2024-05-03T20:00:00"}, {"3. Mai 2024, 20 Uhr", "de", "2024-05-03T20:00:00"},
		{"2024年5月3日(金)", "ja", "2024-05-03"}, {"2024년 5월 3일", "ko", "2024-05-03"}, {"3 maja 2024 r.", "pl", "2024-05-03"}, {"3 мая 2024 г.", "ru", "2024-05-03"}, {"3. toukokuuta 2024", "fi", "2024-05-03"},
		{"2024. május 3.", "hu", "2024-05-03"}, {"3 Mayıs 2024", "tr", "2024-05-03"}, {"3 tháng 5, 2024", "vi", "2024-05-03"}, {"3. listopada 2024.", "hr", "2024-10-03"}, {"3 listopada 2024", "pl", "2024-11-03"},
		{"03/04/2024", "fr", "2024-04-03"}, {"03/04/2024", "en-US", "2024-03-04"}, {"03/04/2024", "en-GB", "2024-04-03"}, {"13/04/2024", "en", "2024-04-13"}, {"04/13/2024", "en", "2024-04-13"}, {"04/04/2024", "", "2024-04-04"},
		{"03/04/2024", "en", ""}, {"03/04/24", "fr", ""}, {"31.02.2024", "", ""}, {"May 2024", "", ""}, {"3 Foo 2024", "", ""}, {"yesterday", "", ""}, {"2024", "", ""}, {"3 - 5 May 2024", "", ""}, {"2024-05-03T25:00", "", ""}, {"2024-13-01", "", ""},
	} {
		got, ok := ParseMoment(c.text, c.lang)
		if got.String() != c.want || ok != (c.want != "") {
			t.Errorf("%q in %q: got %q, %v, want %q", c.text, c.lang, got, ok, c.want)
		}
	}
	for date, want := range map[string][2]bool{"1970-01-01": {true, false}, "0001-01-01": {true, false}, "2999-01-01": {}, "1949-06-08": {false, true}} {
		m := Moment{Date: date}
		if got := [2]bool{m.IsUnset(), m.MayBePast()}; got != want {
			t.Errorf("%s: %v, want %v", date, got, want)
		}
	}
	for text, want := range map[string]bool{"2024-13-45": false, "2024-02-30": false, "-0001-11-30T00:00:00": false, "2017-11-16T15:15:00ZZ": true, "2024-10-09 16:0": true, "1714730400": false, "Spring 2026": true, "3 - 5 May 2026": true} {
		if got := MayBeDate(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	for text, want := range map[string]string{"14:30": "14:30:00", "2:30 pm": "14:30:00", "12:05 am": "00:05:00", "14h30": "14:30:00", "14.30 Uhr": "14:30:00", "10:00:00+02:00": "10:00:00+02:00", "25:00": "", "noon": ""} {
		if got, _ := ParseClock(text); got != want {
			t.Errorf("the time of %q is %q, want %q", text, got, want)
		}
	}
	for digits, want := range map[string]string{"1714730400": "2024-05-03T10:00:00Z", "1714730400123": "2024-05-03T10:00:00Z", "12": ""} {
		if got, _ := Unix(digits); got.String() != want {
			t.Errorf("%s is %s, want %s", digits, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for text, want := range map[string]float64{
		"PT1H20M": 4800, "PT20 Mins": 1200, "P1H": 3600, "PT0D4H45M": 17100, "PTH30MS": 1800, "P0DT1H": 3600, "P1D": 86400, "PT1.5H": 5400, "P0Y0M0DT0H35M0.000S": 2100, "pt30m": 1800, "PT0S": 0, "P1W": 604800,
		"1 h 20 min": 4800, "1 hour and 20 minutes": 4800, "1 Std. 20 Min.": 4800, "90 min": 5400, "90 Minuten": 5400, "1 h 20": 4800, "1 heure et 20 minutes": 4800, "2 horas y 30 minutos": 9000, "1,5 Stunden": 5400, "1 ora": 3600, "2 uur": 7200, "45 sec": 45, "1 ½ hours": 5400, "1/2 hour": 1800, "1 1/2 hrs": 5400, "30-40 minutes": 1800, "1 to 2 hours": 3600, "20 min (plus chilling)": 1200, "ca. 45 Min.": 2700, "PT 20 M": 1200, "1:20:05": 4805, "1h 5'": 3900,
	} {
		if got, ok := Duration(text); !ok || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "P", "PT", "P1Y", "P1M", "45", "20 min 1 h", "about an hour", "1 h 90", "99999999999999 h", "1:20"} {
		if got, ok := Duration(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
	for seconds, want := range map[float64]string{0: "PT0S", 4800: "PT1H20M", 90061: "P1DT1H1M1S", 86400: "P1D", 1.5: "PT1.5S", 4801.1: "PT1H20M1.1S"} {
		if got := ISODuration(seconds); got != want {
			t.Errorf("%v: %s, want %s", seconds, got, want)
		}
	}
	if third, ok := Duration("⅓ hour"); !ok || ISODuration(third) != "PT20M" {
		t.Error(third, ok)
	}
	if got, ok := In(4800, 60); got != "80" || !ok {
		t.Error(got, ok)
	}
	if got, ok := In(1200, 3600); got != "0.333333" || !ok {
		t.Errorf("1200 seconds are %s hours", got)
	}
	if got, ok := In(5400, 3600); got != "1.5" || !ok {
		t.Errorf("5400 seconds are %s hours", got)
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{"yes": "true", "Ja": "true", "nein": "false", "0": "false", "https://schema.org/InStock": "true", "ausverkauft": "false", "Oui": "true", "Não": "false", "maybe": "", "PreOrder": "",
		"In stock (12)": "true", "Sold out, sorry": "false", "In stock, from 12 May": "", "checked": "true", "inactive": "false", "No (splashes only)": "false", "да": "true", "いいえ": "false", "tak": "true", "hayır": "false", "not included": "false"} {
		b, ok := Bool(text)
		if got := map[bool]string{true: "true", false: "false"}[b]; ok != (want != "") || ok && got != want {
			t.Errorf("%q: %v, %v, want %q", text, b, ok, want)
		}
	}
	for _, c := range []struct {
		text    string
		members []string
		want    int
	}{
		{"In Stock", []string{"in_stock", "out_of_stock"}, 0}, {"http://schema.org/OutOfStock", []string{"InStock", "OutOfStock"}, 1}, {"Sold out", []string{"available", "unavailable"}, 1}, {"auf Lager", []string{"OUT_OF_STOCK", "IN_STOCK"}, 1},
		{"FULL_TIME", []string{"Full-time", "Part-time"}, 0}, {"Teilzeit", []string{"full-time", "part-time"}, 1}, {"€", []string{"USD", "EUR"}, 1}, {"red", []string{"RED", "red"}, 1}, {"blue", []string{"red"}, -1}, {"Red, white", []string{"red"}, -1},
		{"Permanent, full time", []string{"part-time", "full-time"}, 1}, {"Full time / Part time", []string{"part-time", "full-time"}, -1}, {"Only 3 left", []string{"InStock", "OutOfStock"}, 0}, {"Moderate", []string{"easy", "medium"}, 1}, {"", []string{""}, 0}, {"!", []string{"?"}, -1},
	} {
		if got := Member(c.text, c.members); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.text, c.members, got, c.want)
		}
	}
	for text, want := range map[string]string{"€ 12": "EUR", "12 CHF": "CHF", "US$ 5": "USD", "$5": "USD", "5 zł": "PLN", "EUR or USD": "", "12": "", "eur": ""} {
		if got, _ := Currency(text); got != want {
			t.Errorf("the currency of %q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"mailto:a@b.org?subject=x": "a@b.org", "a@b": "", "a b@c.org": "", "@c.org": "", "a@b@c.org": ""} {
		if got, _ := Email(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"en_us": "en-US", "DE": "de", "zh-Hant": "zh-Hant", "English": "", "": ""} {
		if got, _ := Language(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// FuzzValues holds that every number is one of JSON, that no text panics, and
// that moments are read back as themselves.
func FuzzValues(f *testing.F) {
	for _, seed := range []string{"1.234,56 €", "3. Mai 2024, 10:30 Uhr", "PT1H20M", "1 h 20", "-−5", "1'''2", "12,-", "٣", "\xff1", "1e5k", "0.000 thousand km"} {
		f.Add(seed, "de")
	}
	f.Fuzz(func(t *testing.T, text, lang string) {
		if n, ok := Number(text, lang); ok && (!schema.NumberOK(n) || !json.Valid([]byte(n))) {
			t.Errorf("%q became %q", text, n)
		}
		if m, ok := ParseMoment(text, lang); ok {
			if again, ok := ParseMoment(m.String(), ""); !ok || again != m {
				t.Errorf("%q became %v, and that %v", text, m, again)
			}
		}
		if s, ok := Duration(text); ok {
			if again, ok := Duration(ISODuration(s)); !ok || again-s > 1e-3 || s-again > 1e-3 {
				t.Errorf("%q became %v, and that %v", text, s, again)
			}
		}
		Bool(text)
		Currency(text)
		Email(text)
		Language(text)
		ParseClock(text)
		Member(text, []string{text, "InStock"})
		UnitText(text)
		Amounts(text)
		Stock(text)
		StockIn(text)
		PriceLine(text)
		if _, rest, _ := LabelledCode(text); len(FirstCode(rest)) > maxCode {
			t.Errorf("%q has a long code", text)
		}
		for _, part := range Parts(text) {
			if name, _ := SplitLabel(part); len(name) > MaxLabel {
				t.Errorf("%q has a long label", text)
			}
		}
		if n, fit := NamedUnit("km").In(text, lang); fit == Converted && !schema.NumberOK(n) {
			t.Errorf("%q became %q km", text, n)
		}
	})
}
