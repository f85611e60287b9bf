package names

var expected = listed("expected")

// ExpectedType returns the type of a thing that has none, by the property that
// it is the value of, or "".
func ExpectedType(property string) string {
	if types := expected()[property]; types != nil {
		return types[0]
	}
	return ""
}
