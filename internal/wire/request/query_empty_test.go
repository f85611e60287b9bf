package request

import "testing"

func TestAnEmptyParameterCountsAsAbsent(t *testing.T) {
	for raw, want := range map[string]asked{
		"text=&mark=&choice=&number=&flag=&at=": {},
		"text":                                  {},
		"number=&number=7":                      {Number: 7},
		"text=&text=a&text=":                    {Text: "a"},
	} {
		if got, err := ask(raw); err != nil || got != want {
			t.Errorf("%s: %+v, %v", raw, got, err)
		}
	}
}

func TestAWholeNumberComesInAnyFormOfJSON(t *testing.T) {
	for raw, want := range map[string]int{"1e3": 1000, "1E3": 1000, "1000.0": 1000, "10.00e1": 100, "5000e-1": 500, "-5e0": -5, "-0": 0} {
		if got, err := ask("number=" + raw); err != nil || got.Number != want {
			t.Errorf("%s: %d, %v", raw, got.Number, err)
		}
	}
	for _, raw := range []string{"1.5", "1e-1", "1e4", "1e999", ".5e1", "5.", "1e", "0x1p3", "NaN", "Inf", "%2B5"} {
		if got, err := ask("number=" + raw); err == nil {
			t.Errorf("%s is taken for %d", raw, got.Number)
		}
	}
}
