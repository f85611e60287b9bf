module github.com/drover-go/drover/bench

go 1.26.0

require (
	github.com/drover-go/drover v0.0.0
	github.com/riverqueue/river v0.51.0
)

replace github.com/drover-go/drover => ../
