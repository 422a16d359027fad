//! The list of keys, and the form for how pages look.

use maud::{Markup, html};

use crate::visit::{Theme, Visit};

pub(crate) fn keys(visit: &Visit) -> Markup {
    html! {
        div.paper.stack id="keys" popover {
            h2 { (visit.say("Keys and looks", "キー操作と配色")) }
            dl.facts {
                dt { kbd { "/" } } dd { (visit.say("recall", "思い出す（検索）")) }
                dt { kbd { "j" } " " kbd { "k" } } dd { (visit.say("next and previous line, message or hit", "次と前の行、発言、結果へ")) }
                dt { kbd { "Enter" } } dd { (visit.say("why: from a line to its messages", "出どころ：行からもとの発言へ")) }
                dt { kbd { "g" } " " kbd { "o" } } dd {
                    (visit.say("overview; ", "全体。")) kbd { "g" } " " kbd { "r" } (visit.say(" recall, ", " は思い出す、")) kbd { "g" } " "
                    kbd { "w" } (visit.say(" workspace, ", " はワークスペース、")) kbd { "g" } " " kbd { "d" }
                    (visit.say(" decisions, ", " は判断、")) kbd { "g" } " " kbd { "p" } (visit.say(" people", " は人"))
                }
                dt { kbd { "[" } " " kbd { "]" } } dd { (visit.say("earlier and later text of a memory", "記憶の前の文章と次の文章")) }
                dt { kbd { "?" } } dd { (visit.say("this; ", "この一覧。")) kbd { "Esc" } (visit.say(" closes it", "で閉じます")) }
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
                    option value="en" selected[visit.say("en", "ja") == "en"] lang="en" { "English" }
                    option value="ja" selected[visit.say("en", "ja") == "ja"] lang="ja" { "日本語" }
                }
            }
            button type="submit" { (visit.say("Keep", "保存")) }
        }
    }
}
