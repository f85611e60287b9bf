package names

// minorWords are names for the smaller unit of a currency, in which programs
// keep amounts of money: price_cents, amountMinor.
var minorWords = setOf("cents cent minor minorunit minorunits pence pennies subunits centimes centavos centesimi")
