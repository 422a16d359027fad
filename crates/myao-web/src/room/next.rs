//! What comes after the first steps: one's own history, and myao in Slack.

use axum::response::Response;
use maud::{Markup, html};

use crate::{
    answer::page_response,
    layout::{Here, whole_page},
    visit::Visit,
};

/// `/talk/next`.
pub(super) async fn show_what_comes_next(visit: Visit) -> Response {
    let title = visit.say("steps-what-comes-next");
    let code = |words: &str| html! { code { (words) } };
    let main = html! {
        header.head { h1 { (title) } }
        div.stack {
            section.stack id="export" aria-labelledby="own" {
                h2 id="own" { (visit.say("steps-your-own-export")) }
                ol.numbered {
                    li { (visit.say("steps-export-from-slack")) }
                    li { (visit.say("steps-end-and-start-again")) pre { "myao demo --import export.zip --keep walk" } }
                    li { (visit.say("steps-walk-through-it")) }
                }
                p.quiet { (visit.say("steps-it-stays-here")) }
            }
            section.stack id="slack" aria-labelledby="in-slack" {
                h2 id="in-slack" { (visit.say("steps-into-slack")) }
                ol.numbered {
                    li { (visit.markup_with("steps-make-the-app", &[("manifest", code("slack-manifest.yaml").into()), ("apps", slack_apps())])) }
                    li { (visit.markup_with("steps-name-the-tokens", &[("init", code("myao init").into()), ("config", code("config.yaml").into()), ("env", code(".env").into())])) }
                    li { (visit.markup_with("steps-check-and-run", &[("check", code("myao check").into()), ("run", code("myao run").into()), ("invite", code("/invite @myao").into())])) }
                }
                p.quiet { (visit.markup_with("steps-the-guide", &[("guide", code(visit.say("steps-guide-file")).into())])) }
            }
            p { a href="/talk" { (visit.say("passing-to-the-talk")) } }
        }
    };
    page_response(whole_page(&visit, title, &Here::Elsewhere, &main))
}

/// The page of Slack on which apps are made.
fn slack_apps() -> crate::messages::Part {
    let link: Markup =
        html! { a href="https://api.slack.com/apps" rel="noreferrer" { "api.slack.com/apps" } };
    link.into()
}
