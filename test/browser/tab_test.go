package browser

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/plait-run/plait/test/world"
)

// tab is a page of the console in a browser. What the page complains of fails the test: a script that breaks, and whatever
// its Content-Security-Policy refuses.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// open starts a browser and follows the URL that the console has printed.
func open(t *testing.T) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WindowSize(1280, 900))
	ctx, end := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(end)
	ctx, end = chromedp.NewContext(ctx)
	t.Cleanup(end)
	b := &tab{t, ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting chromium: %v", err)
	}
	complaints, listening := make(chan []string, 1), chromedp.Console(ctx)
	go func() {
		var all []string
		for message, err := range listening {
			if err != nil {
				break
			}
			if message.IsException() || message.Type == "error" || message.Type == "warning" {
				all = append(all, message.String())
			}
		}
		complaints <- all
	}()
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("ending chromium: %v", err)
		}
		if all := <-complaints; len(all) > 0 {
			t.Errorf("the page complains: %s", strings.Join(all, "; "))
		}
	})
	b.do(chromedp.Navigate(address))
	b.waitText("h1", "Overview")
	return b
}

// do runs steps; all of them together have as long as everything else in the tests.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	run(b, chromedp.Steps(steps...))
}

func run[T any](b *tab, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, world.Patience)
	defer cancel()
	out, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// goTo opens a path of the console.
func (b *tab) goTo(path string) {
	b.t.Helper()
	base, _, _ := strings.Cut(address, "/?")
	b.do(chromedp.Navigate(base + path))
}

// eval gives the value of a JavaScript expression.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	return run(b, chromedp.Evaluate[T](expression))
}

// waitText waits until an element that the selector finds holds a text.
func (b *tab) waitText(selector, text string) {
	b.t.Helper()
	world.Eventually(b.t, fmt.Sprintf("no %s holds %q", selector, text), func() error {
		found := eval[[]string](b, fmt.Sprintf("[...document.querySelectorAll(%q)].map((e) => e.textContent)", selector))
		for _, have := range found {
			if strings.Contains(have, text) {
				return nil
			}
		}
		return fmt.Errorf("found are %q", found)
	})
}

// filter types into the filter of a list, which the key / leads to. The protocol sends a key's character apart from the key,
// so that the page cannot keep the / out of the field. No key means anything before the script has run.
func (b *tab) filter(text string) {
	b.t.Helper()
	world.Eventually(b.t, "the page is not complete", func() error {
		if state := eval[string](b, "document.readyState"); state != "complete" {
			return errors.New(state)
		}
		return nil
	})
	b.do(chromedp.KeyEvent("/"), chromedp.KeyEvent(kb.Backspace), chromedp.KeyEvent(text))
}

// picture keeps what the page looks like, dark or light, at a width in pixels, and fails when it is wider than that.
func (b *tab) picture(name, scheme string, width int64) {
	b.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, media)
		return err
	}), chromedp.EmulateViewport(width, 900))
	image := run(b, chromedp.FullScreenshot(100))
	file := filepath.Join(b.t.ArtifactDir(), fmt.Sprintf("%s-%s-%d.png", name, scheme, width))
	if err := os.WriteFile(file, image, 0o600); err != nil {
		b.t.Fatal(err)
	}
	b.t.Log(file)
	if wide := eval[int64](b, "document.documentElement.scrollWidth"); wide > width {
		b.t.Errorf("%s is %d pixels wide on a screen of %d", name, wide, width)
	}
}

// took is how long an expression runs that gives a promise, in the page: the shortest of some tries, since whatever else the
// machine does only adds to it.
func (b *tab) took(expression string) time.Duration {
	b.t.Helper()
	timed := fmt.Sprintf("(async () => { const t = performance.now(); await (%s); return performance.now() - t })()", expression)
	shortest := time.Duration(math.MaxInt64)
	for range 5 {
		ms := run(b, chromedp.Evaluate[float64](timed, chromedp.EvalAwaitPromise))
		shortest = min(shortest, time.Duration(ms*float64(time.Millisecond)))
	}
	return shortest
}
