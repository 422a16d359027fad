//! The first steps by plain forms over HTTP, as a browser without script takes them; and the answers to the questions that
//! the demo offers.

use std::time::{Duration, Instant};

use myao_testkit::llm::{FakeProvider, Reply};
use reqwest::{Client, StatusCode, header, redirect::Policy};

use crate::browser::Demo;

/// How long a page is asked for until what is awaited stands on it, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_mins(2);
/// What has a browser without script load a page again.
const LOADS_ITSELF: &str = "http-equiv=\"refresh\"";

/// Words of the right answer to each question that is offered, in the order in which they are offered.
const RIGHT: [(&str, [&str; 3]); 2] =
    [("en", ["20 to 24 April", "unplugged Kevin", "11.80"]), ("ja", ["5/8", "白湯", "ログ"])];

/// Somebody who sends forms.
struct FormSender {
    client: Client,
    pages: String,
    cookies: Vec<String>,
}

impl FormSender {
    fn at(demo: &Demo) -> Self {
        // Nothing is asked for over TLS, but the client wants this.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder().redirect(Policy::none()).no_proxy().build().expect("a client");
        Self { client, pages: demo.pages.clone(), cookies: Vec::new() }
    }

    async fn get(&mut self, path: &str) -> String {
        let mut asked = self.client.get(format!("{}{path}", self.pages));
        if !self.cookies.is_empty() {
            asked = asked.header(header::COOKIE, self.cookies.join("; "));
        }
        let answer = asked.send().await.expect("an answer");
        for cookie in answer.headers().get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().expect("text").split(';').next().expect("a pair").to_owned();
            self.cookies.push(cookie);
        }
        if let Some(to) = answer.headers().get(header::LOCATION) {
            let to = to.to_str().expect("text").to_owned();
            return Box::pin(self.get(&to)).await;
        }
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.text().await.expect("a page")
    }

    /// Sends a form, with the token that the page holds.
    async fn send(&mut self, page: &str, to: &str, name: &str, value: &str) {
        let token = between(page, "name=\"token\" value=\"", "\"").expect("a form");
        let fields = [("token", token), (name, value), ("return", "/talk")];
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let asked = self
            .client
            .post(format!("{}{to}", self.pages))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::COOKIE, self.cookies.join("; "));
        let answer = asked.body(form).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{to}: {value}");
    }

    /// Asks for the talk until a condition holds.
    async fn until(&mut self, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let page = self.get("/talk").await;
            if holds(&page) {
                return page;
            }
            assert!(began.elapsed() < PATIENCE, "never: {what}: {page}");
        }
    }
}

fn between<'t>(text: &'t str, before: &str, after: &str) -> Option<&'t str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

/// The address and the value of the form whose button has this id.
fn form_of<'t>(page: &'t str, button: &str) -> (&'t str, &'t str, &'t str) {
    let (before, after) = page.split_once(&format!("id=\"{button}\"")).expect("a button");
    let form = before.rsplit("<form").next().expect("its form");
    let to = between(form, "action=\"", "\"").expect("an address");
    let name = between(after, "name=\"", "\"").expect("a name");
    (to, name, between(after, "value=\"", "\"").expect("a value"))
}

/// Whether a step is ticked off.
fn is_done(page: &str, step: &str) -> bool {
    page.contains(&format!("<li class=\"done\" id=\"{step}\""))
}

async fn press(sender: &mut FormSender, page: &str, button: &str) {
    let (to, name, value) = form_of(page, button);
    let value = value.replace("&quot;", "\"").replace("&amp;", "&");
    sender.send(page, to, name, &value).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_steps_are_taken_by_forms_and_every_answer_is_right() {
    for (language, right) in RIGHT {
        let demo = Demo::start(&["--lang", language]).await;
        let mut sender = FormSender::at(&demo);
        for (nth, words) in right.iter().enumerate() {
            let page = sender.get("/talk").await;
            press(&mut sender, &page, &format!("ask{}", nth + 1)).await;
            let page = sender.until("answered", |page| page.matches("class=\"own\"").count() > nth).await;
            let answer = page.rsplit("class=\"own\"").next().expect("an answer");
            assert!(answer.contains(words), "{language}, question {}: {answer}", nth + 1);
        }
        let page = sender.until("all are answered", |page| is_done(page, "step1")).await;
        press(&mut sender, &page, "tell").await;
        let page = sender.until("said", |page| page.contains("id=\"week\"")).await;
        press(&mut sender, &page, "week").await;
        let is_over = |page: &str| !page.contains(LOADS_ITSELF) && is_done(page, "step2");
        let page = sender.until("a week later", is_over).await;
        press(&mut sender, &page, "untell").await;
        sender.until("taken back", |page| is_done(page, "step3")).await;
    }
}

/// The page of a browser without script loads itself again until there is nothing to wait for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_loads_itself_again_while_an_answer_is_written() {
    let replies = [Reply::text("Ready."), Reply::text("In April, says Imogen.").held()];
    let provider = FakeProvider::answering(replies).await;
    let base = format!("{}/v1", provider.url());
    let demo = Demo::start(&["--lang", "en", "--model", "openai/fake-1", "--api-base", &base]).await;
    let mut sender = FormSender::at(&demo);
    let page = sender.get("/talk").await;
    press(&mut sender, &page, "ask1").await;
    provider.asked(2).await;
    sender.until("it is seen that an answer is written", |page| page.contains(LOADS_ITSELF)).await;
    assert!(!sender.get("/talk").await.contains("says Imogen"), "nothing is answered yet");
    provider.release();
    let is_answered = |page: &str| page.contains("says Imogen") && !page.contains(LOADS_ITSELF);
    sender.until("the answer, and nothing to wait for", is_answered).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_terminal_says_when_the_model_cannot_be_asked_any_more() {
    let provider = FakeProvider::answering([Reply::text("Ready.")]).await;
    let base = format!("{}/v1", provider.url());
    let options = ["--lang", "en", "--model", "openai/fake-1", "--api-base", &base];
    let mut demo = Demo::start(&options).await;
    let mut sender = FormSender::at(&demo);
    let page = sender.get("/talk").await;
    drop(provider);
    press(&mut sender, &page, "ask1").await;
    let said = tokio::task::spawn_blocking(move || demo.until_it_says("openai/fake-1 cannot be reached"));
    let said = said.await.expect("it says so");
    assert!(said.contains("start it with another --model"), "{said}");
}
