package demosite

import "fmt"

// Product is what the shop sells.
type Product struct {
	Slug     string   `json:"slug"`
	Name     string   `json:"name"`
	Category string   `json:"category"`
	SKU      string   `json:"sku"`
	Cents    int      `json:"cents"`
	Stock    int      `json:"stock"`
	Colour   string   `json:"colour"`
	Grams    int      `json:"grams"`
	Text     string   `json:"text"`
	Features []string `json:"features"`
}

// Price is the price as a shop writes it.
func (p Product) Price() string { return fmt.Sprintf("€%d.%02d", p.Cents/100, p.Cents%100) }

// Availability says whether the product can be had.
func (p Product) Availability() string {
	if p.Stock == 0 {
		return "Sold out"
	}
	return "In stock"
}

func find(slug string) (Product, bool) {
	for _, p := range products {
		if p.Slug == slug {
			return p, true
		}
	}
	return Product{}, false
}

var products = []Product{
	{"harbour-desk-lamp", "Harbour desk lamp", "Lamps", "LMP-1042", 8950, 12, "Signal red", 1350, "A lamp for people who read late. Its arm stays where it is put.", []string{"Dims from 5 to 100 %", "Bulb and cable can be replaced"}},
	{"tidal-floor-lamp", "Tidal floor lamp", "Lamps", "LMP-2210", 24900, 0, "Oiled oak", 5200, "Light that rises from the floor like the tide.", []string{"Foot switch", "Three metres of cable"}},
	{"foghorn-ceiling-lamp", "Foghorn ceiling lamp", "Lamps", "LMP-3001", 17400, 4, "Cream", 2800, "Wide, calm and easy to clean.", []string{"Fits every common hook"}},
	{"drovers-stool", "Drover's stool", "Chairs", "CHR-0301", 6400, 31, "Ash", 2100, "Three legs stand on any floor.", []string{"Carries 150 kg", "Stacks"}},
	{"ledger-chair", "Ledger chair", "Chairs", "CHR-0777", 32900, 7, "Walnut", 6900, "For long accounts.", []string{"Adjustable back"}},
	{"market-basket", "Market basket", "Storage", "STO-0110", 3850, 58, "Willow", 780, "Woven in one piece.", []string{"Holds 14 litres"}},
	{"ferry-trunk", "Ferry trunk", "Storage", "STO-0450", 21500, 2, "Navy", 9400, "Locks, and floats for an hour.", []string{"Brass fittings", "Two keys"}},
	{"post-rack", "Post rack", "Storage", "STO-0502", 2975, 0, "Black steel", 640, "Today's letters in front, last week's behind.", []string{"Four slots"}},
}
