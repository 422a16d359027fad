//! The web's tools, on a web of our own: sites on loopback, names that point where a test says, and a reach
//! in which `127.0.0.1` stands for the public internet and the rest of loopback for a private network.

#![cfg(test)]

mod address;
mod guard;
mod hops;
mod pages;
mod search;
mod session;
mod site;
mod slow_tests {
    mod fetch;
    mod hostile;
    mod links;
    mod service;
}

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::Path,
    sync::{Arc, Mutex},
};

use futures::FutureExt as _;
use myao_companion::{
    ask::ToolResult,
    tools::web::{Reach, WEB_FETCH, WEB_SEARCH, WebSession, WebTools},
};
use myao_config::{Config, ToolSettings};
use myao_core::{ports::ToolCall, text::Language};
use myao_testkit::HandClock;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use serde_json::{Value, json};
use site::Site;

/// The address that may be reached.
const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// One that may not.
const PRIVATE: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

fn is_allowed(address: IpAddr) -> bool {
    address == PUBLIC
}

/// A resolver under a test's hand: each name has a list of answers, the last of which stays.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<HashMap<String, Vec<Vec<IpAddr>>>>>);

impl Names {
    fn set(&self, name: &str, answers: &[&[IpAddr]]) {
        // The first is taken from the end.
        let answers = answers.iter().rev().map(|answer| answer.to_vec()).collect();
        self.0.lock().unwrap().insert(name.to_owned(), answers);
    }
}

impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let mut names = self.0.lock().unwrap();
        let answer = names.get_mut(name.as_str()).and_then(|answers| match answers.len() {
            0 | 1 => answers.first().cloned(),
            _ => answers.pop(),
        });
        Box::pin(async move {
            let addresses = answer.ok_or("no such name")?.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}

/// Tools, and what they stand on.
struct Bench {
    site: Site,
    names: Names,
    clock: HandClock,
    tools: WebTools,
}

impl Bench {
    async fn new() -> Self {
        Self::with("").await
    }

    /// With these keys of `tools`.
    async fn with(yaml: &str) -> Self {
        let site = Site::start(PUBLIC).await;
        let names = Names::default();
        let clock = HandClock::at("2026-03-02T00:00:00Z".parse().unwrap());
        let yaml = yaml.replace("SITE", &site.url(""));
        let tools = tools(&settings(&yaml), &names, &clock, Language::En);
        Self { site, names, clock, tools }
    }

    /// Fetches a path of the site, which the conversation has named.
    async fn fetch(&self, path: &str) -> ToolResult {
        self.ask(&self.site.url(path), json!({})).await
    }

    /// Fetches an address, which the conversation has named.
    async fn ask(&self, url: &str, more: Value) -> ToolResult {
        let session = self.tools.session([format!("<{url}>")]);
        ask(&session, url, more).await
    }
}

fn settings(yaml: &str) -> ToolSettings {
    let yaml =
        if yaml.is_empty() { "locale: {language: en}".to_owned() } else { format!("tools: {{{yaml}}}") };
    Config::load_from(&yaml, Path::new("config.yaml"), |_| None).unwrap().config.tools
}

fn tools(settings: &ToolSettings, names: &Names, clock: &HandClock, language: Language) -> WebTools {
    let reach = Reach { is_allowed, names: Arc::new(names.clone()) };
    WebTools::with_reach(settings, language, Arc::new(clock.clone()), reach).unwrap()
}

async fn ask(session: &WebSession, url: &str, more: Value) -> ToolResult {
    let mut arguments = json!({ "url": url });
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    session.run(&call(WEB_FETCH, arguments)).boxed().await.expect("a tool that is on")
}

async fn look_for(session: &WebSession, query: &str) -> ToolResult {
    session.run(&call(WEB_SEARCH, json!({ "query": query }))).await.expect("a tool that is on")
}

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall { id: "1".to_owned(), name: name.to_owned(), arguments }
}
