package policy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
)

// A span is what a number may be, both ends included.
type span struct{ min, max float64 }

// Spans that many numbers share.
var (
	signed    = span{math.MinInt32, math.MaxInt32} // what has no span of its own
	count     = span{0, math.MaxInt32}
	moment    = span{-1 << 53, 1 << 53} // dates, in milliseconds or seconds; amounts of bytes
	place2D   = span{-10_000_000, 10_000_000}
	share     = span{0, 1}
	percent   = span{0, 100}
	keyCode   = span{0, 255}
	modifier  = span{0, 15}
	degrees   = span{-360, 360}
	pause     = span{0, 10_000} // milliseconds that input is held up for
	edge      = span{-maxSide, maxSide}
	rates     = span{0, 1000}
	inches    = span{0, 200}
	paperSide = span{0.2, 600} // Chromium prints on 600, and does not on 1,000
	factor    = span{0.01, maxScale}
)

// spans bound numbers in the parameters of all commands that pass, by name, or by
// command and name. Chromium checks few of them, and dies of some. What has no
// row here is [signed]. Ids are among those.
var spans = map[string]span{
	"x": place2D, "y": place2D, "width": place2D, "height": place2D, "deltaX": place2D, "deltaY": place2D,
	"top": edge, "left": edge, "bottom": edge, "right": edge, "topMax": edge, "leftMax": edge, "bottomMax": edge, "rightMax": edge,

	"timestamp": moment, "expires": moment, "initialVirtualTime": moment, "quotaSize": {0, maxQuota},
	"number": {-math.MaxFloat64, math.MaxFloat64}, "date": moment, // keys of IndexedDB
	"downloadThroughput": moment, "uploadThroughput": moment, "latency": {-1, math.MaxInt32}, "packetLoss": percent, "packetQueueLength": {0, 1_000_000},
	"signCount": {0, math.MaxUint32}, "maxScriptsCacheSize": moment, "timeout": moment, "samplingInterval": moment, "threshold": moment,
	"maxTotalBufferSize": count, "maxResourceBufferSize": count, "maxPostDataSize": count,
	"Network.configureDurableMessages.maxTotalBufferSize":    {0, 64 << 20}, // kept outside of the page's process
	"Network.configureDurableMessages.maxResourceBufferSize": {0, 64 << 20},

	// Input.
	"modifiers": modifier, "windowsVirtualKeyCode": keyCode, "nativeVirtualKeyCode": keyCode, "location": {0, 3},
	"buttons": {0, 31}, "clickCount": percent, "force": share, "tangentialPressure": {-1, 1}, "tiltX": {-90, 90}, "tiltY": {-90, 90}, "twist": {0, 359},
	"radiusX": {0, maxSide}, "radiusY": {0, maxSide}, "rotationAngle": degrees, "dragOperationsMask": {0, 31},
	"selectionStart": {0, 1_000_000}, "selectionEnd": {0, 1_000_000}, "replacementStart": {0, 1_000_000}, "replacementEnd": {0, 1_000_000},
	"tapCount": {1, 10}, "Input.synthesizeTapGesture.duration": pause, "repeatCount": percent, "repeatDelayMs": pause,
	"xDistance": {-100_000, 100_000}, "yDistance": {-100_000, 100_000}, "xOverscroll": edge, "yOverscroll": edge,
	"speed": {1, 1_000_000}, "relativeSpeed": {1, 1_000_000}, "scaleFactor": {0.01, 100},
	"Emulation.setGeolocationOverride.speed": {0, 1_000_000},

	// Pictures, pages and screens.
	"quality": percent, "everyNthFrame": {1, 1000}, "maxFramesInFlight": {1, 10}, "frameRate": {1, 60}, "maxWidth": {0, maxSide}, "maxHeight": {0, maxSide},
	"pageScaleFactor": factor, "deviceScaleFactor": {0, maxScale}, "scale": {0, maxScale}, "Emulation.setEmulatedOSTextScale.scale": factor,
	"Page.printToPDF.scale": {0.1, 2}, "paperWidth": paperSide, "paperHeight": paperSide,
	"marginTop": inches, "marginBottom": inches, "marginLeft": inches, "marginRight": inches,
	"screenWidth": {0, maxSide}, "screenHeight": {0, maxSide}, "positionX": edge, "positionY": edge, "angle": degrees,
	"offset": {0, math.MaxInt32}, "maskLength": {0, maxSide}, "difference": {0, maxSide},
	"borderRadius": {0, maxSide}, "upperRadius": {0, maxSide}, "lowerRadius": {0, maxSide}, "radius": {0, maxSide}, "cx": edge, "cy": edge,
	"Emulation.setDisplayFeaturesOverride.offset": {0, maxSide}, "Emulation.setDeviceMetricsOverride.offset": {0, maxSide},

	// What is said of the device and its surroundings.
	"maxTouchPoints": {1, 16}, "hardwareConcurrency": {1, 1024}, "rate": rates, "minimumFrequency": rates, "maximumFrequency": rates,
	"alpha": degrees, "beta": degrees, "gamma": degrees, "latitude": {-90, 90}, "longitude": {-180, 180}, "heading": {0, 360},
	"accuracy": {0, 1e9}, "altitude": {-1e9, 1e9}, "altitudeAccuracy": {0, 1e9},
	"budget": {0, 1e9}, "maxVirtualTimeTaskStarvationCount": {0, 1_000_000},

	// How much is asked for at a time.
	"IO.read.size": {0, 32 << 20}, "skipCount": {0, 1_000_000}, "pageSize": {0, 100_000}, "responseCode": {0, 999},
	"minRepeatCount": percent, "minDuration": pause,

	"bufferUsageReportingInterval": {100, 1e9}, "traceBufferSizeInKb": {0, 1 << 20}, "screenshotMaxSize": {0, 2000}, "screenshotMaxCount": {0, 500},
}

// maxItems bounds how many things a list among the parameters has. Lists of
// texts alone, and those of longLists, which are of small things that clients
// have many of, may have maxTexts.
const (
	maxItems = 10_000
	maxTexts = 100_000
)

var longLists = map[string]bool{"cookies": true, "urlPatterns": true}

// touches is how many fingers there can be.
const touches = 16

// atMostItems bounds a list.
func atMostItems(key string, least, most int) Check {
	return func(p *Params, _ World) error {
		var items []json.RawMessage
		if err := p.decodeGiven(key, &items); err != nil {
			return err
		}
		if p.Has(key) && (len(items) < least || len(items) > most) {
			return fmt.Errorf("%s must have %d to %d items", key, least, most)
		}
		return nil
	}
}

// ordered insists on a range whose end is not before its start.
func ordered(start, end string) Check {
	return func(p *Params, _ World) error {
		from, err1 := p.number(start, 0)
		to, err2 := p.number(end, from)
		if err := cmp.Or(err1, err2); err != nil {
			return err
		}
		if to < from || p.Has(start) != p.Has(end) {
			return fmt.Errorf("%s and %s must be given together, and the end not be before the start", start, end)
		}
		return nil
	}
}

// maxPaper bounds the area of paper, in square inches: no side may have all that
// it could have if the other has.
const maxPaper = 200 * 200

// printed leaves room on the paper: what is printed on next to nothing has
// more pages than there is memory for.
func printed(p *Params, _ World) error {
	const letterWidth, letterHeight, margin, room = 8.5, 11, 0.4, 0.2
	area := 1.0
	for _, side := range []struct {
		paper, before, after string
		missing              float64
	}{{"paperWidth", "marginLeft", "marginRight", letterWidth}, {"paperHeight", "marginTop", "marginBottom", letterHeight}} {
		paper, err1 := p.number(side.paper, side.missing)
		before, err2 := p.number(side.before, margin)
		after, err3 := p.number(side.after, margin)
		if err := cmp.Or(err1, err2, err3); err != nil {
			return err
		}
		if paper-before-after < room {
			return fmt.Errorf("%s, %s and %s must leave %v inches", side.paper, side.before, side.after, room)
		}
		area *= paper
	}
	if area > maxPaper {
		return fmt.Errorf("paperWidth and paperHeight make more than %d square inches", maxPaper)
	}
	return nil
}
