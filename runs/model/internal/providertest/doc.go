// Package providertest is the fault matrix that every provider of language
// models passes: one table, driven by a [Wire], which says how a provider
// speaks. Each row is played by a real HTTP server on loopback, as one document
// and as a stream, and says what the model returns, how many requests that
// takes, and what the next question does. Time limits go by a clock that stands
// in the test's hands.
//
// What only one provider has stands in that provider's own test. What is the
// loop's matter is not here, because a provider makes one try: how often and
// when it is asked again, the nudge after an empty answer, tools that do not
// exist or have another case, a forced tool that the model did not call, calls
// that are still open after a stop, shortening after an overflow, the fallback
// model, and the states of the run. The time limit of a connection is that of
// net.Dialer, which has no clock to be set.
package providertest
