package mention

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRating(t *testing.T) {
	for text, want := range map[string][2]string{
		"4.4 out of 5 stars (128 reviews)": {"4.4 out of 5 stars", "128"}, "Rated 4.4/5 by 128 customers": {"4.4/5", "128"},
		"Rating: 4.4 (128)": {"4.4", "128"}, "4.3 (57 reviews)": {"4.3", "57"}, "(1,204 reviews)": {"", "1,204"}, "4,5 von 5": {"4,5 von 5", ""},
		"★★★★☆ (57)": {"4", "57"}, "★★★☆☆": {"3", ""}, "★★★★★": {}, "4 (57)": {}, "12 people": {}, "hello 1 started": {}, "4.5 stars": {"4.5 stars", ""}, "5/10/2021 at 7:40am": {}, "12 out of 5": {}, "": {},
	} {
		rating, count := Rating(text)
		if got := [2]string{rating, count}; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestPeriod(t *testing.T) {
	for text, want := range map[string]Period{
		"Friday, June 7, 2024, 8:30 PM – 11 PM": {"2024-06-07T20:30:00", "2024-06-07T23:00:00"}, "7–9 June 2024": {"2024-06-07", "2024-06-09"},
		"30 May to 2 June 2024": {"2024-05-30", "2024-06-02"}, "7 June 2024 at 20:30": {Start: "2024-06-07T20:30:00"}, "7 June 2024": {},
		"June 7, 2024, 10 PM – 2 AM": {"2024-06-07T22:00:00", "2024-06-08T02:00:00"}, "9–7 June 2024": {}, "": {},
	} {
		if diff := cmp.Diff(want, ParsePeriod(text, "en")); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestOpening(t *testing.T) {
	for text, want := range map[string][3]bool{
		"Mon-Fri: 9:00-17:00": {true, false, true}, "Montag bis Freitag": {true, true, false}, "Sunday closed": {true, false, true},
		"Money 9:00-17:00": {}, "M": {}, "": {},
	} {
		if got := [3]bool{OpensDay(text), IsDays(text), IsOpening(text)}; got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestTextsThatNeedNoLabel(t *testing.T) {
	for text, want := range map[string][2]string{
		"Serves 4 people": {"yield", "4 people"}, "£45,000 - £55,000 per annum": {"salary", "£45,000 - £55,000 per annum"}, "Tel. 020 7946 0000": {"telephone", "020 7946 0000"},
		"E: ann@example.com": {"email", "ann@example.com"}, "Full-time": {"employment type", "Full-time"}, "Fully remote": {"workplace type", "Fully remote"},
		"4 lamps": {}, "": {},
	} {
		name, value := Kind(text)
		if got := [2]string{name, value}; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if least, most := PayRange("£45,000 - £55,000"); least != "45,000" || most != "55,000" || !IsPay("£45,000 - £55,000") || IsPay("a lot") {
		t.Errorf("the range of pay is %q to %q", least, most)
	}
}

func TestPhrase(t *testing.T) {
	for text, want := range map[string][2]string{
		"Apply by 31 May 2024": {"deadline", "31 May 2024"}, "EAN 4006381333931": {"gtin", "4006381333931"}, "EAN 4006381333932": {}, "Cook 20 min": {"cook time", "20 min"},
		"Published 8 March 2026 (06:37 UTC).": {"published", "8 March 2026"}, "Item no. LR-42": {"sku", "LR-42"}, "Item no.: LR-42": {}, "Ready in: 30 min": {"total time", "30 min"},
		"Serve 4": {}, "Cook": {}, "": {},
	} {
		name, value := Phrase(text, "en")
		if got := [2]string{name, value}; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	for text, want := range map[string][2]string{
		"124 offres d'emploi": {"job", "124"}, "1-20 of 1,286 results": {"result", "1286"}, "36 Produkte gefunden": {"product", "36"}, "12 lamps": {"", "12"}, "jobs": {}, "": {},
	} {
		thing, number := Counted(text)
		if got := [2]string{thing, number}; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestWordsBeforeDates(t *testing.T) {
	for text, want := range map[string]bool{"3 May 2024": true, "Published 3 May 2024": true, "Born 3 May 2024": false, "03/04/2024": true, "May 2024": false, "": false} {
		if got := IsDate(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	if !SaysUpdated("Last updated on") || !SaysPublished("Mis en ligne le") || SaysPublished("Born") || !SaysOther("Harbour. Valid until") || SaysOther("Until · Posted on") {
		t.Error("words before a date say something else")
	}
}

func TestMoney(t *testing.T) {
	for text, want := range map[string]bool{"from $1,299.00": true, "12 €": true, "US$ 12": true, "12": false, "12 € 10 €": false, "12 lamps": false, "€": false, "": false} {
		if got := IsMoney(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestQuestion(t *testing.T) {
	for text, want := range map[string]string{"Q: Does it boil?": "Does it boil?", "3. Does it boil?": "Does it boil?", "3. Boil it.": "3. Boil it.", "": ""} {
		if got := Question(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if Answer("A: Yes.") != "Yes." || Answer("Above all") != "Above all" || !AsksAndAnswers("Q. Boil?", "A. Yes.") || AsksAndAnswers("Boil?", "Yes.") {
		t.Error("an answer is something else")
	}
}
