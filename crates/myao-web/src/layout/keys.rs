//! The list of keys, and the form for how pages look.

use maud::{Markup, html};

use crate::{
    messages::Catalogue,
    visit::{Theme, Visit},
};

pub(crate) fn keys(visit: &Visit) -> Markup {
    let go = |key: &str| html! { kbd { "g" } " " kbd { (key) } };
    html! {
        div.paper.stack id="keys" popover {
            h2 { (visit.say("Keys and looks", "キー操作と配色")) }
            dl.facts {
                dt { kbd { "/" } } dd { (visit.say("recall", "思い出す（検索）")) }
                dt { kbd { "j" } " " kbd { "k" } } dd { (visit.say("next and previous line, message or hit", "次と前の行、発言、結果へ")) }
                dt { kbd { "Enter" } } dd { (visit.say("why: from a line to its messages", "出どころ：行からもとの発言へ")) }
                dt { (go("o")) } dd {
                    (visit.markup_with("key-pages", "overview; { $recall } recall, { $workspace } workspace, { $decisions } decisions, { $people } people",
                        "全体。{ $recall } は思い出す、{ $workspace } はワークスペース、{ $decisions } は判断、{ $people } は人",
                        &[("recall", go("r").into()), ("workspace", go("w").into()), ("decisions", go("d").into()), ("people", go("p").into())]))
                }
                dt { kbd { "[" } " " kbd { "]" } } dd { (visit.say("earlier and later text of a memory", "記憶の前の文章と次の文章")) }
                dt { kbd { "?" } } dd { (visit.markup_with("key-this", "this; { $key } closes it", "この一覧。{ $key }で閉じます", &[("key", html! { kbd { "Esc" } }.into())])) }
            }
            (looks(visit, &visit.here()))
        }
    }
}

/// The form for colours and language; `back` is the page to return to.
pub(crate) fn looks(visit: &Visit, back: &str) -> Markup {
    let theme = |theme: Theme, name: &str| {
        html! { option value=(theme.as_str()) selected[visit.theme == theme] { (name) } }
    };
    let here = visit.language.as_str();
    html! {
        form.fields method="post" action="/looks" {
            (visit.form_fields())
            input type="hidden" name="return" value=(back);
            div {
                label for="theme" { (visit.say("Looks", "配色")) }
                select id="theme" name="theme" {
                    (theme(Theme::System, visit.say("as the system does", "システムに合わせる")))
                    (theme(Theme::Light, visit.say("light", "明るく")))
                    (theme(Theme::Dark, visit.say("dark", "暗く")))
                }
            }
            div {
                label for="language" { (visit.say("Language", "言語")) }
                select id="language" name="language" {
                    @for catalogue in Catalogue::all() {
                        option value=(catalogue.tag()) selected[catalogue.tag() == here] lang=(catalogue.tag()) { (catalogue.say("name-of-language", "English", "日本語")) }
                    }
                }
            }
            button type="submit" { (visit.say("Keep", "保存")) }
        }
    }
}
