//! HTML reports in a real browser: a headless chromium, where one is installed.

mod chrome;
#[path = "../harness/mod.rs"]
mod harness;
mod sample;

use chrome::Browser;
use harness::surroundings::{Needed, skipped};
use harness::{Scratch, parts, run};
use report::html::page;
use serde_json::json;
use std::time::{Duration, Instant};

const TABS: [&str; 5] = ["trace", "unwinding", "loops", "story", "statistics"];

/// The reports that the checks open.
struct Files {
    scratch: Scratch,
    small: String,
    large: String,
}

type Check = fn(&mut Browser, &Files);

const CHECKS: &[(&str, Check)] = &[
    ("tabs open by mouse and keys", tabs),
    ("stepping moves the line and the values", stepping),
    ("the unwinding zooms, moves and tells", unwinding),
    ("events show their vertices", story),
    ("light and dark", themes),
    ("widths", widths),
    ("hostile text stays text", hostile),
    ("the address keeps the state", address),
    ("thousands of vertices", large),
    ("real reports", real),
];

#[test]
fn reports_work_in_a_browser() {
    let Some(program) = chrome::installed() else {
        let why = "no chromium here (scripts/setup browser installs it)";
        skipped(Needed::Chromium, why);
        return;
    };
    let scratch = Scratch::new("reports");
    let files = Files {
        small: scratch.write("small.html", page(&sample::small())),
        large: scratch.write("large.html", page(&sample::large(20_000))),
        scratch,
    };
    let mut browser = Browser::start(&program);
    for (name, check) in CHECKS {
        let start = Instant::now();
        browser.resize(1440, 900);
        check(&mut browser, &files);
        let figures = std::mem::take(&mut browser.figures).join(", ");
        println!("{name}: {:.1?} {figures}", start.elapsed());
        assert_eq!(browser.complaints, Vec::<String>::new(), "{name}");
    }
}

/// The tab that is selected, if its panel alone is shown.
const OPEN_TAB: &str = "(() => {
  const tabs = [...document.querySelectorAll('[role=tab][aria-selected=true]')];
  const panels = [...document.querySelectorAll('[role=tabpanel]')].filter((panel) => panel.offsetHeight > 0);
  return tabs.length === 1 && panels.length === 1 && tabs[0].getAttribute('aria-controls') === panels[0].id
    ? tabs[0].id.replace('tab-', '') : 'not one';
})()";
/// The line that is marked in the source.
const LINE: &str = "document.querySelector('.line.current')?.dataset.line ?? 'none'";
/// The view of the picture: scale, x, y.
const VIEW: &str = "(document.getElementById('picture').dataset.view ?? '')";

/// Goes to a tab, and to more, by the address.
fn go(browser: &mut Browser, tab: &str, more: &str) {
    browser.eval(&format!("location.hash = 'tab={tab}{more}'"));
    browser.until(&format!("{OPEN_TAB} === {tab:?}"));
}

fn tabs(browser: &mut Browser, files: &Files) {
    browser.open(&files.small, "");
    assert_eq!(
        browser.text(OPEN_TAB),
        "trace",
        "an unsafe program's trace comes first"
    );
    for tab in TABS {
        browser.click(&format!("#tab-{tab}"));
        assert_eq!(browser.text(OPEN_TAB), tab);
        let empty = format!("document.getElementById('panel-{tab}').innerText.trim() === ''");
        assert_eq!(browser.eval(&empty), json!(false), "{tab} is empty");
    }
    browser.key("Home", 0);
    assert_eq!(browser.text(OPEN_TAB), "trace");
    for tab in TABS.iter().skip(1).chain(&TABS[..1]) {
        browser.key("ArrowRight", 0);
        assert_eq!(browser.text(OPEN_TAB), *tab);
        assert_eq!(
            browser.text("document.activeElement.id"),
            format!("tab-{tab}")
        );
    }
    browser.key("ArrowLeft", 0);
    assert_eq!(browser.text(OPEN_TAB), "statistics");
}

fn stepping(browser: &mut Browser, files: &Files) {
    browser.open(&files.small, "#tab=trace&step=0");
    let values =
        "[...document.querySelectorAll('.values tr td')].map((cell) => cell.innerText).join('|')";
    assert_eq!(browser.text(LINE), "6");
    assert_eq!(browser.text(values), "n|4|set here|sum|0|set here");
    // A button, then keys.
    browser.click(".stepper button[aria-label='Next step']");
    assert_eq!(browser.text(LINE), "7");
    assert!(browser.text(values).contains("i|0|set here"));
    let now = "document.querySelector('.line.current .now')?.innerText ?? ''";
    assert_eq!(browser.text(now), "i = 0");
    browser.eval("document.activeElement.blur()");
    for (key, line) in [
        ("j", "8"),
        ("ArrowRight", "2"),
        ("k", "8"),
        ("End", "9"),
        ("Home", "6"),
    ] {
        browser.key(key, 0);
        assert_eq!(browser.text(LINE), line, "after {key}");
    }
    // In a call its own values come first; behind it those of the caller are still there.
    browser.eval("location.hash = 'tab=trace&step=7'");
    browser.until("document.querySelector('.values th')?.innerText === 'twice'");
    assert!(browser.text(values).starts_with("x|3|set here"));
    browser.eval("location.hash = 'tab=trace&step=8'");
    browser.until("document.querySelector('.values th')?.innerText === 'main'");
    assert!(
        browser.text(values).contains("sum|6|was 0"),
        "{}",
        browser.text(values)
    );
    assert_eq!(
        browser.eval("document.querySelectorAll('.values tr.matters').length > 0"),
        json!(true)
    );
    // What was left out is said.
    let fold = "document.querySelector('.fold').innerText";
    assert!(
        browser.text(fold).contains("2 iterations"),
        "{}",
        browser.text(fold)
    );
    // The slider, by its own keys.
    browser.eval("document.getElementById('slider').focus()");
    browser.key("Home", 0);
    browser.eval(
        "(() => { const slider = document.getElementById('slider'); slider.value = 2;
           slider.dispatchEvent(new Event('input')); })()",
    );
    assert_eq!(browser.text(LINE), "7");
    // A click in the list.
    browser.click("[data-step='9']");
    assert_eq!(browser.text(LINE), "9");
    let marks = "document.querySelector('.line.faulty').dataset.line
      + [...document.querySelectorAll('.faulty .fault')].map((part) => part.innerText).join('')";
    assert_eq!(browser.text(marks), "9assert(sum != 6);");
    let given = "document.querySelector('.line.operands').innerText.replaceAll('\\n', ' ')";
    assert!(browser.text(given).contains("sum = 6"));
    let counts = "[...document.querySelectorAll('.line[data-line] .count')].map((cell) => cell.innerText).join()";
    assert_eq!(browser.text(counts), ",4,,,,1,5,4,1,–");
    let invariant = "document.querySelector('.line.invariant').innerText.replaceAll('\\n', ' ')";
    assert!(browser.text(invariant).contains("0 <= i && sum <= 2 * i"));
}

/// Scale, x and y of the picture once it has settled at another view than `old`.
fn next_view(browser: &mut Browser, old: &str) -> String {
    browser.until(&format!("{VIEW} !== {old:?}"));
    browser.text(VIEW)
}

fn scale(view: &str) -> f64 {
    let first = view.split(' ').next().unwrap_or_default();
    first.parse().expect("a view should start with its scale")
}

fn unwinding(browser: &mut Browser, files: &Files) {
    browser.open(&files.small, "#tab=unwinding");
    let first = next_view(browser, "");
    let middle = browser.middle("#picture");
    browser.mouse("mouseMoved", middle, 0.0);
    browser.mouse("mouseWheel", middle, -240.0);
    let zoomed = next_view(browser, &first);
    assert!(scale(&zoomed) > scale(&first) * 1.2, "{first} to {zoomed}");
    // Dragging moves it and selects nothing.
    browser.mouse("mousePressed", middle, 0.0);
    browser.mouse("mouseMoved", (middle.0 + 30.0, middle.1 + 20.0), 0.0);
    browser.mouse("mouseReleased", (middle.0 + 30.0, middle.1 + 20.0), 0.0);
    let moved = next_view(browser, &zoomed);
    assert_eq!(scale(&moved), scale(&zoomed));
    let title = "document.querySelector('#details strong')?.innerText ?? ''";
    assert_eq!(browser.text(title), "");
    browser.eval("document.getElementById('picture').focus()");
    let mut last = moved;
    for key in ["ArrowLeft", "ArrowDown", "+", "-", "0"] {
        browser.key(key, 0);
        last = next_view(browser, &last);
    }
    // The root is in the first row of the fitted tree; Shift with arrows goes on from it.
    browser.key("ArrowDown", 8);
    assert_eq!(browser.text(title), "u0");
    browser.key("ArrowDown", 8);
    assert_eq!(browser.text(title), "u1");
    assert_eq!(browser.text(LINE), "7");
    // A click on the vertex above, where the view says it is.
    let at = "(() => { const box = document.getElementById('picture').getBoundingClientRect();
      const [scale, x, y] = document.getElementById('picture').dataset.view.split(' ').map(Number);
      return [box.x + x, box.y + y]; })()";
    let at = browser.eval(at);
    let point = (at[0].as_f64().unwrap_or(0.0), at[1].as_f64().unwrap_or(0.0));
    browser.click_at(point);
    assert_eq!(
        browser.text(title),
        "u0",
        "the root is where the tree starts"
    );
    search(browser, title);
}

fn search(browser: &mut Browser, title: &str) {
    for (wanted, found, vertex) in [
        ("u5", "1 found", "u5"),
        ("dead end", "1 found", "u2"),
        ("line 7", "3 found", "u1"),
    ] {
        browser.eval("document.getElementById('search').focus()");
        browser.eval("document.getElementById('search').select()");
        browser.call("Input.insertText", json!({ "text": wanted }));
        assert_eq!(
            browser.text("document.querySelector('.search .said').innerText"),
            found
        );
        browser.key("Enter", 0);
        assert_eq!(browser.text(title), vertex, "{wanted}");
    }
    browser.eval("location.hash = 'tab=unwinding&vertex=5'");
    browser.until("document.querySelector('#details strong')?.innerText === 'u5'");
    let details = browser.text("document.getElementById('details').innerText");
    assert!(
        details.contains("covered by u1") && details.contains("0 <= i"),
        "{details}"
    );
}

fn story(browser: &mut Browser, files: &Files) {
    browser.open(&files.small, "#tab=story");
    browser.click("[data-event='1'] p");
    assert_eq!(browser.text(LINE), "8");
    browser.eval("document.activeElement.blur()");
    browser.key("j", 0);
    assert_eq!(
        browser.text("document.querySelector('.event.selected').dataset.event"),
        "2"
    );
    browser.click("[data-event='1'] .where button.link");
    assert_eq!(browser.text(OPEN_TAB), "unwinding");
    assert_eq!(
        browser.text("document.querySelector('#details strong').innerText"),
        "u1"
    );
    // Without the kind there is no such event.
    browser.click("#tab-story");
    browser.click(".chip");
    assert_eq!(
        browser.eval("document.querySelectorAll('.event').length"),
        json!(2)
    );
}

fn themes(browser: &mut Browser, files: &Files) {
    let back = "getComputedStyle(document.body).backgroundColor";
    browser.prefer("light");
    browser.open(&files.small, "");
    let light = browser.text(back);
    browser.prefer("dark");
    let dark = browser.text(back);
    assert_ne!(light, dark);
    // Over the button: what the system prefers, light, dark, and around.
    for expected in [&light, &dark, &dark] {
        browser.click("#theme");
        assert_eq!(browser.text(back), *expected);
    }
    for scheme in ["light", "dark"] {
        browser.prefer(scheme);
        for tab in TABS {
            go(browser, tab, "&step=4&vertex=5&event=1");
            assert_eq!(browser.text(LOW_CONTRAST), "", "{scheme} {tab}");
        }
    }
    browser.prefer("light");
}

/// The texts of the open page that are too faint on what is behind them: contrast below 4.5.
const LOW_CONTRAST: &str = "(() => {
      const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
      const light = (colour) => {
        const [r, g, b] = numbers(colour).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const colour = getComputedStyle(at).backgroundColor;
          if ((numbers(colour)[3] ?? 1) > 0.5) return colour;
        }
        return 'rgb(255, 255, 255)';
      };
      const faint = new Set();
      for (const element of document.body.querySelectorAll('*')) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!own || element.offsetHeight === 0 || element.closest('script')) continue;
        const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) faint.add(`${element.tagName}.${element.className}: ${contrast.toFixed(2)}`);
      }
      return [...faint].join();
    })()";

fn widths(browser: &mut Browser, files: &Files) {
    browser.open(&files.small, "");
    for width in [360, 768, 1440] {
        browser.resize(width, 800);
        for tab in TABS {
            go(browser, tab, "&vertex=5&event=1");
            let over =
                "document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert_eq!(browser.eval(over), json!(0), "{tab} at {width}");
            let shown = format!("document.getElementById('panel-{tab}').offsetHeight > 50");
            assert_eq!(browser.eval(&shown), json!(true), "{tab} at {width}");
        }
    }
}

fn hostile(browser: &mut Browser, files: &Files) {
    browser.open(&files.small, "#tab=unwinding&vertex=5");
    assert_eq!(browser.eval("'broken' in window"), json!(false));
    assert_eq!(
        browser.eval("document.querySelectorAll('img, iframe, object').length"),
        json!(0)
    );
    assert_eq!(browser.eval("document.scripts.length"), json!(2));
    let line = "document.querySelector('[data-line=\"4\"] .text').textContent";
    assert_eq!(browser.text(line), sample::HOSTILE);
    for part in ["h1", "#details", ".notes", ".assumptions", ".command code"] {
        let text = browser.text(&format!("document.querySelector({part:?}).textContent"));
        assert!(text.contains("</script><script>"), "{part}: {text}");
    }
}

fn address(browser: &mut Browser, files: &Files) {
    browser.open(&files.small, "#tab=story&step=3&vertex=2&event=2");
    assert_eq!(browser.text(OPEN_TAB), "story");
    assert_eq!(
        browser.text("document.querySelector('.event.selected').dataset.event"),
        "2"
    );
    browser.click("#tab-trace");
    assert_eq!(browser.text("document.getElementById('slider').value"), "4");
    browser.key("ArrowRight", 0);
    assert_eq!(
        browser.text("document.querySelector('#details strong').textContent"),
        "u2"
    );
    browser.until("location.hash.includes('tab=unwinding') && location.hash.includes('vertex=2')");
    // What it does not have is not asked for.
    browser.open(&files.small, "#tab=nothing&step=999&vertex=-4&event=x");
    assert_eq!(browser.text(OPEN_TAB), "trace");
    assert_eq!(
        browser.text("document.getElementById('slider').value"),
        "10"
    );
}

fn large(browser: &mut Browser, files: &Files) {
    let start = Instant::now();
    browser.open(&files.large, "#tab=unwinding");
    let mut view = next_view(browser, "");
    let took = start.elapsed();
    assert!(took < Duration::from_secs(8), "opening took {took:?}");
    browser.eval("document.getElementById('picture').focus()");
    let mut slowest: f64 = 0.0;
    // From all of it in, step by step, and across, and back.
    let keys = [
        "+",
        "+",
        "+",
        "ArrowUp",
        "+",
        "+",
        "+",
        "ArrowLeft",
        "+",
        "+",
        "-",
        "-",
        "-",
        "0",
    ];
    for key in keys {
        browser.key(key, 0);
        view = next_view(browser, &view);
        let took = browser.text("document.getElementById('picture').dataset.took");
        slowest = slowest.max(took.parse().expect("a time"));
    }
    let figure = format!(
        "opened in {took:.1?}; the slowest of {} frames took {slowest} ms",
        keys.len()
    );
    browser.figures.push(figure);
    assert!(slowest < 400.0, "a frame took {slowest} ms");
    browser.eval("location.hash = 'tab=unwinding&vertex=19999'");
    browser.until("document.querySelector('#details strong')?.innerText === 'u19999'");
}

const PROGRAMS: [(&str, &str, &str); 3] = [
    (
        "unsafe",
        "trace",
        "#include <assert.h>
         extern int __VERIFIER_nondet_int(void);
         /* </script><img src=x onerror='window.broken = 3'> */
         static int twice(int x) { return x + x; }
         int main(void) {
           int n = __VERIFIER_nondet_int(), sum = 0;
           for (int i = 0; i < 5; i++) sum += twice(i);
           assert(sum + n != 31);
         }",
    ),
    (
        "safe",
        "loops",
        "#include <assert.h>
         extern int __VERIFIER_nondet_int(void);
         int main(void) {
           int n = __VERIFIER_nondet_int(), i = 0;
           while (i < n)
             i++;
           assert(n < 0 || i == n);
         }",
    ),
    (
        "unknown",
        "story",
        "#include <assert.h>
         extern int __VERIFIER_nondet_int(void);
         int main(void) {
           int n = __VERIFIER_nondet_int(), i = 0;
           while (i < n)
             i++;
           __asm__(\"incl %0\" : \"+r\"(i));
           assert(i == n + 1);
         }",
    ),
];

fn real(browser: &mut Browser, files: &Files) {
    for (verdict, first, text) in PROGRAMS {
        let source = files.scratch.write(&format!("{verdict}.c"), text);
        let html = files.scratch.file(&format!("{verdict}-real.html"));
        let html = html.to_str().expect("a plain path");
        let output = run(&["check", &source, "--timeout", "2", "--html", html]);
        let (_, out, err) = parts(&output);
        assert!(
            out.ends_with(&format!("Verdict: {verdict}\n")),
            "{out}{err}"
        );
        browser.open(html, "");
        assert_eq!(
            browser.text("document.querySelector('.verdict').lastChild.data"),
            verdict
        );
        assert_eq!(browser.text(OPEN_TAB), first, "{verdict}");
        let command = browser.text("document.querySelector('.command code').innerText");
        assert!(
            command.starts_with("cairn check ") && command.contains("--html"),
            "{command}"
        );
        for tab in TABS {
            browser.click(&format!("#tab-{tab}"));
            let text = browser.text(&format!("document.getElementById('panel-{tab}').innerText"));
            assert!(text.len() > 10, "{verdict}, {tab}: {text}");
        }
        assert_eq!(browser.eval("'broken' in window"), json!(false));
        // What a script makes of something that is not there.
        let slips = r"/\b(null|undefined|NaN)\b|\[object/.exec(
          document.getElementById('top').textContent + document.getElementById('main').textContent)?.[0] ?? ''";
        assert_eq!(browser.text(slips), "", "{verdict}");
        let lines = browser.eval("document.querySelectorAll('.line[data-line]').length");
        assert_eq!(lines, json!(text.lines().count()), "{verdict}");
        let shown = browser.eval("document.querySelectorAll('.line.invariant').length > 0");
        assert_eq!(shown, json!(verdict == "safe"), "{verdict}");
        // The safe one is proved without a test, so nothing was executed.
        let counted = browser.eval("document.querySelectorAll('.count.some').length > 0");
        assert_eq!(counted, json!(verdict != "safe"), "{verdict}");
    }
}
