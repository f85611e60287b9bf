// Package markdown measures Drover's markdown beside html-to-markdown alone and
// beside npm packages, on pages of the corpora.
package markdown
