//! A tab with cookies of its own, and what a person does in it.

use std::{path::Path, sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::time;

use super::chromium::{Chromium, Heard, chromium, locked};

/// The longest that is waited for a page to be as it should be. A page that never is fails its test.
const PATIENCE: Duration = Duration::from_mins(2);
/// Where `scripts/test` puts axe, which finds what keeps people from reading a page.
const AXE: &str = "tools/axe-core-4.14.1/axe.min.js";

/// How somebody looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eyes {
    pub(super) width: u32,
    pub(super) is_dark: bool,
    pub(super) language: &'static str,
    pub(super) has_script: bool,
}

/// At a desk, by day, in English.
pub(super) const DESK: Eyes = Eyes { width: 1280, is_dark: false, language: "en", has_script: true };
/// A small phone.
pub(super) const PHONE: Eyes = Eyes { width: 360, ..DESK };

/// A tab.
pub(super) struct Tab {
    chromium: Arc<Chromium>,
    session: String,
    heard: Arc<Heard>,
    has_script: bool,
    /// The pages' address, without the path.
    pages: String,
}

impl Tab {
    /// A tab for the pages at an address; `None` where these tests are left out.
    pub(super) async fn open(pages: &str, eyes: Eyes) -> Option<Self> {
        let chromium = Arc::clone(chromium()?);
        let ask = async |method: &str, params: Value| {
            chromium.ask(None, method, params).await.unwrap_or_else(|why| panic!("{method}: {why}"))
        };
        let context = ask("Target.createBrowserContext", json!({ "disposeOnDetach": true })).await;
        let context = &context["browserContextId"];
        let target =
            ask("Target.createTarget", json!({ "url": "about:blank", "browserContextId": context })).await;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session =
            ask("Target.attachToTarget", attach).await["sessionId"].as_str().expect("one").to_owned();
        let heard = chromium.listen(&session);
        let tab = Self { chromium, session, heard, has_script: eyes.has_script, pages: pages.to_owned() };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            tab.ask(&format!("{domain}.enable"), json!({})).await;
        }
        tab.look(eyes).await;
        Some(tab)
    }

    /// Looks with other eyes from now on.
    pub(super) async fn look(&self, eyes: Eyes) {
        let is_phone = eyes.width < 600;
        let metrics =
            json!({ "width": eyes.width, "height": 800, "deviceScaleFactor": 1, "mobile": is_phone });
        self.ask("Emulation.setDeviceMetricsOverride", metrics).await;
        let scheme = if eyes.is_dark { "dark" } else { "light" };
        let media = json!({ "features": [
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ] });
        self.ask("Emulation.setEmulatedMedia", media).await;
        let headers = json!({ "headers": { "Accept-Language": eyes.language } });
        self.ask("Network.setExtraHTTPHeaders", headers).await;
        self.ask("Emulation.setScriptExecutionDisabled", json!({ "value": !eyes.has_script })).await;
    }

    async fn ask(&self, method: &str, params: Value) -> Value {
        let asked = self.chromium.ask(Some(&self.session), method, params);
        asked.await.unwrap_or_else(|why| panic!("{method}: {why}"))
    }

    /// Goes to a page, and waits until it is there.
    pub(super) async fn go(&self, path: &str) {
        // The page that is left is complete, too, until the other one is there.
        self.eval("window.isLeft = true").await;
        let went = self.ask("Page.navigate", json!({ "url": format!("{}{path}", self.pages) })).await;
        assert_eq!(went["errorText"], Value::Null, "{path}");
        self.until("!window.isLeft").await;
    }

    /// Goes to a page whose scripts arrive one after another, each after what the ones before it have put off.
    pub(super) async fn go_slowly(&self, path: &str) {
        self.ask("Fetch.enable", json!({ "patterns": [{ "resourceType": "Script" }] })).await;
        let going = self.go(path);
        let letting_through = async {
            let mut events = self.heard.events.subscribe();
            loop {
                let next = locked(&self.heard.held).pop_front();
                let Some(id) = next else {
                    events.changed().await.expect("the tab is open");
                    continue;
                };
                self.eval("new Promise((done) => setTimeout(done, 200))").await;
                self.ask("Fetch.continueRequest", json!({ "requestId": id })).await;
            }
        };
        tokio::select! {
            () = going => {}
            () = letting_through => {}
        }
        self.ask("Fetch.disable", json!({})).await;
    }

    /// What an expression is; an error while one page follows another.
    async fn try_eval(&self, expression: &str) -> Result<Value, String> {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let told = self.chromium.ask(Some(&self.session), "Runtime.evaluate", params).await?;
        match told.get("exceptionDetails") {
            Some(thrown) => Err(thrown.to_string()),
            None => Ok(told["result"]["value"].clone()),
        }
    }

    /// What an expression is on this page.
    pub(super) async fn eval(&self, expression: &str) -> Value {
        self.try_eval(expression).await.unwrap_or_else(|why| panic!("{expression}: {why}"))
    }

    /// Waits until a condition holds, on this page or one that follows it, once that has been loaded.
    pub(super) async fn until(&self, condition: &str) {
        let condition = format!("document.readyState === 'complete' && Boolean({condition})");
        let expression = if self.has_script {
            format!(
                "new Promise((done) => {{ const look = () => {{ let is = false; try {{ is = {condition}; }} catch {{ }} \
                 if (is) done(true); else setTimeout(look, 20); }}; look(); }})"
            )
        } else {
            // Without script, a page changes by being another one; the browser tells of that.
            condition.clone()
        };
        let holds = async {
            let mut events = self.heard.events.subscribe();
            while self.try_eval(&expression).await != Ok(Value::Bool(true)) {
                events.changed().await.expect("the tab is open");
            }
        };
        if time::timeout(PATIENCE, holds).await.is_err() {
            let page = "`${location.href}\n${document.body.innerText.slice(-3000)}\n` + JSON.stringify({
                fields: [...document.querySelectorAll('input:not([type=hidden]), textarea')].map((one) => [one.id, one.value]),
                focus: document.activeElement?.outerHTML.slice(0, 200), sight: document.visibilityState, scrolled: scrollY })";
            let requests = locked(&self.heard.requests).clone();
            let last = &requests[requests.len().saturating_sub(8)..];
            panic!("never: {condition}\n{}\n{:?}\n{last:?}", self.eval(page).await, self.complaints());
        }
    }

    /// Waits until the page says something.
    pub(super) async fn until_says(&self, words: &str) {
        self.until(&format!("document.body.innerText.includes({})", json!(words))).await;
    }

    /// What a person reads of the page.
    pub(super) async fn text(&self) -> String {
        self.eval("document.body.innerText").await.as_str().unwrap_or_default().to_owned()
    }

    /// Clicks on an element with the mouse, where a person would: in sight, and with nothing above it.
    pub(super) async fn click(&self, selector: &str) {
        let found = format!(
            "(() => {{ const one = document.querySelector({0}); if (!one) return 'not there';
                one.scrollIntoView({{ block: 'center', behavior: 'instant' }});
                const box = one.getClientRects()[0]; if (!box) return 'not in sight';
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                const hit = document.elementFromPoint(x, y);
                return one.contains(hit) ? [x, y] : `under ${{hit && hit.outerHTML.slice(0, 200)}}`; }})()",
            json!(selector)
        );
        let found = self.eval(&found).await;
        let [x, y] = [&found[0], &found[1]];
        assert!(x.is_number(), "{selector} cannot be clicked: {found}\n{}", self.text().await);
        for kind in ["mousePressed", "mouseReleased"] {
            let mouse = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.ask("Input.dispatchMouseEvent", mouse).await;
        }
    }

    /// Types into a field, in place of what it holds.
    pub(super) async fn fill(&self, selector: &str, text: &str) {
        self.click(selector).await;
        self.eval(&format!("document.querySelector({}).select()", json!(selector))).await;
        self.ask("Input.insertText", json!({ "text": text })).await;
    }

    /// Chooses from a list, as its keys would.
    pub(super) async fn choose(&self, selector: &str, label: &str) {
        let chosen = format!(
            "(() => {{ const list = document.querySelector({0});
                const one = [...list.options].find((option) => option.textContent.includes({1}));
                if (one) {{ list.value = one.value; list.dispatchEvent(new Event('change', {{ bubbles: true }})); }}
                return Boolean(one); }})()",
            json!(selector),
            json!(label)
        );
        assert_eq!(self.eval(&chosen).await, Value::Bool(true), "{label} in {selector}");
    }

    /// Presses a key.
    pub(super) async fn press(&self, key: &str) {
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "ArrowUp" => 38,
            "ArrowDown" => 40,
            _ => 0,
        };
        let mut event = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if key == "Enter" {
            event["text"] = json!("\r");
        } else if key.chars().count() == 1 {
            event["text"] = json!(key);
        }
        self.ask("Input.dispatchKeyEvent", event).await;
        self.ask("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key })).await;
    }

    /// Presses a key while Shift is down.
    pub(super) async fn press_with_shift(&self, key: &str) {
        let code = if key == "Enter" { 13 } else { 0 };
        let shift = 8;
        let event = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": shift, "text": "\r" });
        self.ask("Input.dispatchKeyEvent", event).await;
        self.ask("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key, "modifiers": shift })).await;
    }

    /// Begins to compose a text, as with a Japanese keyboard; the next Enter chooses it.
    pub(super) async fn compose(&self, text: &str) {
        let end = text.encode_utf16().count();
        let composed = json!({ "text": text, "selectionStart": end, "selectionEnd": end });
        self.ask("Input.imeSetComposition", composed).await;
    }

    /// How many pixels of the page stick out at the side.
    pub(super) async fn overhang(&self) -> i64 {
        let expression = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
        self.eval(expression).await.as_i64().expect("a number")
    }

    /// The elements that stick out at the side.
    pub(super) async fn sticking_out(&self) -> String {
        let expression = "[...document.querySelectorAll('body *')]
            .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .slice(0, 5).map((one) => one.outerHTML.slice(0, 150)).join(' | ')";
        self.eval(expression).await.to_string()
    }

    /// What axe finds that is serious: each rule with the elements that break it.
    pub(super) async fn barriers(&self) -> Vec<String> {
        self.axe("{ resultTypes: ['violations'] }").await
    }

    /// The same of the colours alone.
    pub(super) async fn contrasts(&self) -> Vec<String> {
        self.axe("{ resultTypes: ['violations'], runOnly: ['color-contrast'] }").await
    }

    /// What axe finds, of any weight.
    pub(super) async fn findings(&self) -> Vec<String> {
        self.axe_of_weight("{ resultTypes: ['violations'] }", &["minor", "moderate", "serious", "critical"])
            .await
    }

    async fn axe(&self, options: &str) -> Vec<String> {
        self.axe_of_weight(options, &["serious", "critical"]).await
    }

    async fn axe_of_weight(&self, options: &str, weights: &[&str]) -> Vec<String> {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name(AXE);
        let axe = std::fs::read_to_string(&path).unwrap_or_else(|_| {
            panic!(
                "the pages cannot be checked with axe: {} is not there (scripts/test puts it there); \
                 MYAO_TEST_WITHOUT=browser leaves these tests out",
                path.display()
            )
        });
        if self.eval("typeof axe").await == "undefined" {
            self.eval(&format!("{axe};0")).await;
        }
        let found = self.eval(&format!("axe.run(document, {options})")).await;
        let found = found["violations"].as_array().expect("a list").iter();
        let grave =
            found.filter(|one| one["impact"].as_str().is_some_and(|impact| weights.contains(&impact)));
        let told = grave.map(|one| {
            let nodes = one["nodes"].as_array().expect("a list").iter().take(3);
            let nodes: Vec<String> =
                nodes.map(|node| format!("{} ({})", node["html"], node["failureSummary"])).collect();
            format!("{}: {}", one["id"], nodes.join("; "))
        });
        told.collect()
    }

    /// Errors and warnings of the console since the last look.
    pub(super) fn complaints(&self) -> Vec<String> {
        std::mem::take(&mut *locked(&self.heard.complaints))
    }

    /// Closes the tab: nothing was wrong on its pages, and nothing was asked for elsewhere.
    pub(super) async fn done(self) {
        let complaints = self.complaints();
        assert!(complaints.is_empty(), "the console says: {complaints:#?}");
        let requests = std::mem::take(&mut *locked(&self.heard.requests));
        assert!(!requests.is_empty(), "something was asked for");
        // Pictures of Chromium's own fields, as of a date, stand in their addresses.
        let own = [format!("{}/", self.pages), "data:".to_owned()];
        let is_own = |address: &&String| own.iter().any(|own| address.starts_with(own));
        let elsewhere: Vec<&String> = requests.iter().filter(|address| !is_own(address)).collect();
        assert!(elsewhere.is_empty(), "asked for elsewhere: {elsewhere:?}");
        self.ask("Page.close", json!({})).await;
    }
}
