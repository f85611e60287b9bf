// Package quality scores what fetch makes of pages with gold answers, beside
// others on the same pages in the same run. It is run by make quality.
//
// Each kind of score is a file of its own: it fills tables and hands Drover's
// rows to [held], which compares them with baseline.json and fails where one is
// lost. -update rewrites the baseline, rounded down a little; lowering one
// needs a reason in the commit.
package quality
