package jobs

// DepthQueries are the statements that count what waits, for the test of their plans.
var DepthQueries = []string{countReady, oldestReady, countDelayed, countRunning}
