package extract

import "testing"

// TestValuesOfATable has the text of a cell, the language of its page, a property and what it
// gets, "" for nothing.
func TestValuesOfATable(t *testing.T) {
	const (
		number  = `"number"`
		stock   = `"string","enum":["InStock","OutOfStock"]`
		numbers = `"array","items":{"type":"number"}`
	)
	for _, c := range []struct{ text, lang, name, kind, want string }{
		{"1/4 cup", "en", "amount", number, "0.25"}, {"1½ tasse", "fr", "amount", number, "1.5"}, {"(€12.00)", "en", "oldPrice", number, "12"}, {"1,234 (2023)", "en", "reviewCount", `"integer"`, "1234"}, {"(1,234)", "en", "downloads", `"integer"`, "1234"}, {"3/8", "en", "progress", `"integer"`, "3"}, {"1,00,000", "en-IN", "amount", number, "100000"}, {"1'000.50", "de-CH", "amount", number, "1000.5"},
		{"5'11\"", "en", "heightCm", number, "180.34"}, {"5'11\"", "en", "height", number, ""}, {"1 m 80", "fr", "heightCm", number, "180"}, {"5'11", "en", "heightCm", number, "180.34"},
		{"120m2", "en", "heightCm", number, ""}, {"4 lb 3", "en", "weightOz", number, "67"}, {"1 m 8", "fr", "heightCm", number, ""},
		{"1:20:05", "en", "runtimeSeconds", `"integer"`, "4805"}, {"1 h 20", "en", "durationMinutes", number, "80"}, {"2:05", "en", "runtimeSeconds", `"integer"`, ""},
		{"12,50 € / 100 g", "de", "pricePerKg", number, "125"}, {"3/4", "en", "rating", number, "3"}, {"4.5 (120 reviews)", "en", "rating", number, "4.5"}, {"★★★☆☆ (12)", "en", "rating", number, "3"}, {"★★★★½", "en", "rating", number, "4.5"}, {"★★★½☆", "en", "rating", number, "3.5"}, {"In stock, from 12 May", "en", "availability", stock, ""}, {"lieferbar ab 3. Mai", "de", "availability", stock, ""}, {"In stock from 12 May", "en", "inStock", `"boolean"`, ""}, {"Only 3 left", "en", "inStock", `"boolean"`, "true"}, {"(1,234)", "en", "reviewCount", `"integer"`, "1234"},
		{"0 in stock", "en", "availability", stock, `"OutOfStock"`}, {"Only 3 left", "en", "availability", stock, `"InStock"`}, {"Back in stock on 3 May", "en", "availability", stock, `"OutOfStock"`}, {"Ships in 2 weeks", "en", "availability", stock, ""},
		{"Nur noch 2 auf Lager", "de", "inStock", `"boolean"`, "true"}, {"Нет", "ru", "waterproof", `"boolean"`, "false"},
		{"38, 39 and 40", "en", "sizes", numbers, "[38,39,40]"}, {"38,5; 39", "de", "sizes", numbers, "[38.5,39]"}, {"S, M", "en", "sizes", numbers, ""},
		{"Permanent, full time", "en", "employmentType", `"string","enum":["PART_TIME","FULL_TIME"]`, `"FULL_TIME"`},
		{"urn:uuid:123e4567-e89b-12d3-a456-426614174000", "en", "recordId", `"string","format":"uuid"`, `"123e4567-e89b-12d3-a456-426614174000"`}, {"12345", "en", "recordId", `"string","format":"uuid"`, ""},
		{"2024年5月3日", "ja", "birthDate", `"string","format":"date"`, `"2024-05-03"`}, {"1970-01-01", "en", "birthDate", `"string","format":"date"`, `"1970-01-01"`},
	} {
		want := `{}`
		if c.want != "" {
			want = `{"` + c.name + `":` + c.want + `}`
		}
		page := `<html lang=` + c.lang + `><h1>A thing</h1><table><tr><th>` + c.name + `<td>` + c.text + `</table>`
		if got := string(shaped(t, page, `{"type":"object","properties":{"`+c.name+`":{"type":`+c.kind+`}}}`, ShapeOptions{}).Content); got != want {
			t.Errorf("%q as %s: got %s, want %s", c.text, c.name, got, want)
		}
	}
}

// TestDeclaredValuesAreThoseOfTheMetadata has what a page declares of who wrote it, and when,
// in JSON as it is in the metadata.
func TestDeclaredValuesAreThoseOfTheMetadata(t *testing.T) {
	const schema = `{"type":"object","properties":{"authors":{"type":"array","items":{"type":"string"}},"author":{"type":"string"},"datePublished":{"type":"string"},"dateModified":{"type":"string"}}}`
	for declared, want := range map[string]string{
		`"author":"admin"`:                                         `{}`,
		`"author":["Ann Lee","admin"]`:                             `{"authors":["Ann Lee"],"author":"Ann Lee"}`,
		`"author":"Ann Lee and Bo Day"`:                            `{"authors":["Ann Lee","Bo Day"],"author":"Ann Lee and Bo Day"}`,
		`"author":{"@type":"Person","name":"undefined"}`:           `{}`,
		`"author":{"@type":"Person","name":"Ann Lee and Bo Day"}`:  `{"authors":["Ann Lee","Bo Day"],"author":"Ann Lee and Bo Day"}`,
		`"datePublished":"2024-13-45"`:                             `{}`,
		`"datePublished":"0001-01-01T00:00:00Z"`:                   `{}`,
		`"datePublished":"1970-01-01","dateModified":"2999-01-01"`: `{}`,
		`"datePublished":"2024-05-03"`:                             `{"datePublished":"2024-05-03"}`,
	} {
		page := `<html lang=en>` + script(`{"@context":"https://schema.org","@type":"Recipe","name":"Tea",`+declared+`}`) + `<h1>Tea</h1>`
		if got := string(shaped(t, page, schema, ShapeOptions{}).Content); got != want {
			t.Errorf("%s: got %s, want %s", declared, got, want)
		}
	}
}
