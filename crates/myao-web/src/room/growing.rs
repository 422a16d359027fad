//! The memory beside the talk: the chapter under way, the long-term memory, the chapter that closed last, and what the
//! last reply was shown.

use maud::{Markup, html};
use myao_core::{memory::StepKind, ports::BUILTIN, prompt::estimate_tokens};

use super::RoomPlace;
use crate::{
    numbers::grouped,
    show::{SheetLine, SheetReading, bar, changed, lines_of, paper},
    visit::{Visit, escaped},
};

pub(super) fn aside(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        aside.growing.stack id="growing" tabindex="0" aria-label=(visit.say("The memory of this channel", "この場の記憶")) {
            (under_way(visit, place))
            (long_term(visit, place))
            (closed(visit, place))
            (last_reply(visit, place))
        }
    }
}

/// Shows how far the chapter under way has come.
pub(super) fn under_way(visit: &Visit, place: &RoomPlace) -> Markup {
    let history = &visit.site.config.memory.history;
    let said = u64::try_from(place.waiting.len()).unwrap_or(u64::MAX);
    let most = u64::from(history.message_threshold);
    let last = place.waiting.last().map(|ts| place.now.duration_since(ts.to_timestamp()).as_mins());
    let silent = last.and_then(|mins| u64::try_from(mins).ok()).unwrap_or(0);
    let longest = history.conversation_idle_seconds / 60;
    html! {
        section.tight id="underway" aria-labelledby="under" {
            div.row.spread {
                h2 id="under" { (visit.say("Chapter ", "章")) (place.under_way.0) (visit.say(", under way", "（進行中）")) }
                @if let Some(first) = place.waiting.first() {
                    span.quiet { (visit.say("since ", "")) (visit.times().moment(*first)) (visit.say("", "から")) }
                }
            }
            div.fields {
                div.grow {
                    (bar(&[("k1", said)], most))
                    span.quiet { b.num { (said) } @if visit.say("en", "ja") == "en" { " of " (most) " messages" } @else { "／" (most) "件の発言" } }
                }
                div.grow {
                    (bar(&[("k1", silent.min(longest))], longest))
                    span.quiet { b.num { (silent.min(longest)) } @if visit.say("en", "ja") == "en" { " of " (longest) " minutes’ silence" } @else { "／" (longest) "分の沈黙" } }
                }
            }
            p.quiet {
                @if said == 0 { (visit.say("It begins with the next message.", "次の発言から始まります。")) } @else {
                    (visit.say("Whichever fills first ends it. Until then its words stand in every prompt here.",
                        "先にいっぱいになったほうで章が終わります。それまで、この言葉はここのプロンプトにそのまま入ります。"))
                }
            }
        }
    }
}

/// The newest text of the long-term memory, with what changed since the one before.
pub(super) fn long_term(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        article.paper id="longterm" aria-labelledby="lt" {
            @match place.long_term.first() {
                Some(entry) => {
                    header {
                        h2 id="lt" { (visit.say("What it remembers for long", "長く覚えていること")) }
                        p.quiet {
                            (visit.say("Rewritten ", "")) (visit.times().instant(entry.at)) (visit.say(" by ", "に ")) (entry.actor)
                            (visit.say(", up to chapter ", " が書き直しました。章")) (entry.mark.version) (visit.say(". ", "まで。"))
                            a href=(href(place, "")) { (visit.say("All of it, and earlier texts", "全文と前の文章")) }
                        }
                    }
                    (text(visit, place))
                    footer.quiet {
                        (visit.say("Blue is new since the last rewriting, and dries to black. A day leads to the messages behind a line.",
                            "青い字は前の書き直しから新しくなったところで、やがて黒く乾きます。日付から、もとの発言へ行けます。"))
                    }
                }
                None => {
                    header { h2 id="lt" { (visit.say("What it remembers for long", "長く覚えていること")) } }
                    ul.memory.lines {
                        li { span.m { "–" } p.dimmed {
                            (visit.say("Nothing yet. A chapter that closes is folded in once it is a day old, or chapters are many. Let a day pass, and see what it keeps.",
                                "まだありません。閉じた章は、1日たつか、章がたまると織り込まれます。1日進めて、何が残るか見てください。"))
                        } }
                    }
                }
            }
        }
    }
}

fn text(visit: &Visit, place: &RoomPlace) -> Markup {
    let lines = |nth: usize| {
        place
            .long_term
            .get(nth)
            .map(|entry| lines_of(&place.names.show(entry.content.as_deref().unwrap_or_default())))
    };
    let Some(newest) = lines(0) else { return html! {} };
    let step = place.long_term.first().map(|entry| entry.step.to_string()).unwrap_or_default();
    let why = |line: &SheetLine| format!("{}?entry={step}&line={}", href(place, "/why"), line.nth);
    paper(visit, &changed(lines(1).as_deref(), &newest), &SheetReading { why: Some(&why), is_new: true })
}

/// The chapter that closed last.
pub(super) fn closed(visit: &Visit, place: &RoomPlace) -> Markup {
    html! {
        article.paper id="closed" aria-labelledby="ch" {
            @match place.chapters.first() {
                Some(log) => {
                    @let number = log.memory.version();
                    header {
                        h2 id="ch" { (visit.say("Chapter ", "章")) (number) (visit.say(", the last that closed", "（最後に閉じた章）")) }
                        p.quiet {
                            @if let (Some(from), Some(range)) = (log.source_first_message_ts, &log.range) { (visit.times().period(from, range.to)) (visit.say(". ", "。")) }
                            (kept(visit, log.kind)) (visit.say(": ", "："))
                            (visit.messages(log.memory.source_message_count())) (visit.say(", ", "、"))
                            (estimate_tokens(log.memory.content())) (visit.say(" tokens.", "トークン。"))
                        }
                    }
                    details {
                        summary { (visit.say("Read it", "読む")) }
                        (paper(visit, &changed(None, &lines_of(&place.names.show(log.memory.content()))), &SheetReading { why: None, is_new: false }))
                    }
                }
                None => {
                    header { h2 id="ch" { (visit.say("No chapter closed yet", "まだ閉じた章はありません")) } }
                    p.quiet { (visit.say("Let two hours pass after something was said: silence ends a chapter.", "何か話してから2時間進めてみてください。沈黙で章が終わります。")) }
                }
            }
        }
    }
}

fn kept(visit: &Visit, kind: StepKind) -> &'static str {
    match (kind, visit.language) {
        (StepKind::Verbatim, myao_core::prompt::Language::En) => "Kept word for word",
        (StepKind::Verbatim, myao_core::prompt::Language::Ja) => "言葉どおりに残しました",
        (_, myao_core::prompt::Language::En) => "Summed up",
        (_, myao_core::prompt::Language::Ja) => "要約しました",
    }
}

/// What the last reply cost, with a link to what a reply here would be shown now.
pub(super) fn last_reply(visit: &Visit, place: &RoomPlace) -> Markup {
    let most = u64::from(visit.site.config.prompt.max_tokens);
    html! {
        section.stack id="lastreply" aria-labelledby="saw" {
            div.row.spread {
                h2 id="saw" { (visit.say("What the last reply saw", "最後の返事が見たもの")) }
                a href=(href(place, "/prompt")) { (visit.say("The prompt now, to the letter", "いまのプロンプトをそのまま見る")) }
            }
            @match &place.answered {
                Some(call) => {
                    p.quiet {
                        b.num { (grouped(call.tokens_in)) }
                        @if visit.say("en", "ja") == "en" { " of at most " (grouped(most)) " tokens, and wrote " (grouped(call.tokens_out)) ", " } @else {
                            "／" (grouped(most)) "トークンを見て、" (grouped(call.tokens_out)) "トークンを書きました。"
                        }
                        (visit.times().instant(call.at)) (visit.say(". ", "。"))
                        @if call.model == BUILTIN { (visit.say("It cost nothing: builtin.", "builtin なので費用はありません。")) } @else { b { (call.model) } "." }
                    }
                    (bar(&[("k1", call.tokens_in)], most))
                }
                None => p.quiet { (visit.say("There was none here. “@myao” and a question asks for one.", "まだありません。「@myao」をつけて聞くと、返事があります。")) },
            }
        }
    }
}

/// The address of a page about the channel's memory, in the owner's view.
fn href(place: &RoomPlace, rest: &str) -> String {
    format!("/channel/{}{rest}", escaped(place.channel.id.as_str()))
}
