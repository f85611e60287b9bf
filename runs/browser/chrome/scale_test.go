package chrome_test

import (
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

func TestDeviceScaleFactors(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<script>document.title = devicePixelRatio</script>`})
	for _, factor := range []float64{-1, 0.5, 5} {
		if _, err := sharedProvider(t).Open(t.Context(), browser.Options{DeviceScaleFactor: factor}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%v: %v", factor, err)
		}
	}
	for factor, want := range map[float64]string{0: "1", 1: "1", 2.5: "2.5"} {
		s := openWith(t, sharedProvider(t), browser.Options{DeviceScaleFactor: factor})
		if p := navigate(t, s, srv.URL); p.Title != want {
			t.Errorf("%v: %q", factor, p.Title)
		}
	}
}
