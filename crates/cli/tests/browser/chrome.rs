//! A headless chromium, driven over a pipe by the DevTools protocol: JSON, each message ended by a
//! zero byte.

use crate::harness::Scratch;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long an answer of the browser, or something on a page, may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The browser, if one is installed.
pub(crate) fn installed() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: String,
    last_id: u64,
    /// What went wrong on the page, and what it asked the network for.
    pub(crate) complaints: Vec<String>,
    /// What was measured.
    pub(crate) figures: Vec<String>,
    _profile: Scratch,
}

impl Browser {
    /// Starts it.
    pub(crate) fn start(program: &Path) -> Browser {
        let profile = Scratch::new("browser");
        // The pipe has the file descriptors 3 and 4, which a shell can make of 0 and 1.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#])
            .arg("sh")
            .arg(program)
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                // The sandbox needs rights that containers seldom have; the pages are our own.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
            ])
            .arg(format!("--user-data-dir={}", profile.file("").display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the shell should start");
        let to = child.stdin.take().expect("stdin should be piped");
        let stdout = child.stdout.take().expect("stdout should be piped");
        let (sender, from) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut message = Vec::new();
            while reader
                .read_until(0, &mut message)
                .is_ok_and(|size| size > 0)
            {
                message.pop();
                if let Ok(value) = serde_json::from_slice(&message)
                    && sender.send(value).is_err()
                {
                    return;
                }
                message.clear();
            }
        });
        let mut browser = Browser {
            child,
            to,
            from,
            session: String::new(),
            last_id: 0,
            complaints: Vec::new(),
            figures: Vec::new(),
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", target);
        browser.session = session["sessionId"]
            .as_str()
            .expect("an attached target should have a session")
            .to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method and waits for its answer.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser should live");
        loop {
            let answer = self
                .from
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|error| panic!("no answer to {method}: {error}"));
            if answer["id"] == id {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        let is_bad = match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" => true,
            "Runtime.consoleAPICalled" => params["type"] == "error" || params["type"] == "warning",
            "Log.entryAdded" => {
                let level = &params["entry"]["level"];
                level == "error" || level == "warning"
            }
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                let is_page = params["type"] == "Document" && url.starts_with("file:");
                !is_page && !url.starts_with("data:") && url != "about:blank"
            }
            _ => false,
        };
        if is_bad {
            self.complaints.push(event.to_string());
        }
    }

    /// Opens a file at a hash and waits until its script is done.
    pub(crate) fn open(&mut self, file: &str, hash: &str) {
        // From an empty page, so that a change of the hash alone loads the file anew.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.call(
            "Page.navigate",
            json!({ "url": format!("file://{file}{hash}") }),
        );
        self.until("document.documentElement?.dataset.ready === 'true'");
    }

    /// The value of an expression on the page.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", params);
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// The text of an expression on the page.
    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.eval(expression);
        value.as_str().map_or(value.to_string(), str::to_owned)
    }

    /// Waits until an expression holds.
    pub(crate) fn until(&mut self, expression: &str) {
        let start = Instant::now();
        while self.eval(expression) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "never: {expression}");
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Presses a key. `modifiers` is 8 with Shift.
    pub(crate) fn key(&mut self, key: &str, modifiers: u32) {
        let mut down =
            json!({ "type": "keyDown", "key": key, "code": key, "modifiers": modifiers });
        if key.chars().count() == 1 {
            down["text"] = json!(key);
        }
        self.call("Input.dispatchKeyEvent", down);
        let up = json!({ "type": "keyUp", "key": key, "code": key, "modifiers": modifiers });
        self.call("Input.dispatchKeyEvent", up);
    }

    /// The middle of an element, scrolled into sight.
    pub(crate) fn middle(&mut self, selector: &str) -> (f64, f64) {
        let expression = format!(
            "(() => {{ const element = document.querySelector({selector:?});
               element.scrollIntoView({{ block: 'nearest', inline: 'nearest' }});
               const box = element.getBoundingClientRect();
               return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let at = self.eval(&expression);
        let number = |index: usize| at[index].as_f64().expect("a box should have a middle");
        (number(0), number(1))
    }

    /// A mouse event at a point.
    pub(crate) fn mouse(&mut self, kind: &str, (x, y): (f64, f64), wheel: f64) {
        let mut event = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
        if kind == "mouseWheel" {
            event["deltaX"] = json!(0);
            event["deltaY"] = json!(wheel);
            event["button"] = json!("none");
        }
        self.call("Input.dispatchMouseEvent", event);
    }

    /// Clicks a point.
    pub(crate) fn click_at(&mut self, at: (f64, f64)) {
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            self.mouse(kind, at, 0.0);
        }
    }

    /// Clicks the middle of an element.
    pub(crate) fn click(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.click_at(at);
    }

    /// Makes the window so large.
    pub(crate) fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// What the system is said to prefer: `light` or `dark`.
    pub(crate) fn prefer(&mut self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Best effort: asked first, then told.
        let _ = self
            .to
            .write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(3) {
            if self.child.try_wait().is_ok_and(|status| status.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
