//! Which questions are told together with an answer: only where the talk itself says that it is one.

use myao_core::ports::TalkLine;

use crate::asking::{day, entry, line, merge, talk, text};

/// Lines written as `HH:MM name: text`, or `HH:MM/HH:MM name: text` for a reply in the thread of the line said
/// at the second time.
fn threads(said: &str) -> Vec<TalkLine> {
    let date = "2026-03-02";
    let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .map(|said| {
            let (times, rest) = said.split_once(' ').unwrap();
            let (name, words) = rest.split_once(": ").unwrap();
            let (time, root) = times.split_once('/').map_or((times, None), |(at, root)| (at, Some(root)));
            let mut said = line(&format!("{date} {time}"), name, &words.replace("\\n", "\n"));
            said.thread = root.map(|root| line(&format!("{date} {root}"), "", "").ts);
            said
        })
        .collect()
}

/// The bullets that tell a question with an answer.
fn pairs(said: &str) -> Vec<String> {
    let written = text(talk("", threads(said)), 2_000);
    written.lines().filter(|line| line.contains(" → ")).map(str::to_owned).collect()
}

const JOINED: [(&str, &str, &str); 12] = [
    (
        "a short question behind the one that it completes",
        "10:00 ann: how do I tell which kiln of the hall needs a new door? the oldest invoice?
         10:02 bob: @ann yes; the oldest invoice has a red stamp on it",
        "ann: how do I tell which kiln of the hall needs a new door? the oldest invoice? → bob: yes; the oldest invoice has a red stamp on it",
    ),
    (
        "the asker is called",
        "10:00 ken: 合宿の予算はひとりいくらまでですか？
         10:03 hana: @ken 宿と食事で一万二千円までにしています",
        "ken: 合宿の予算はひとりいくらまでですか？ → hana: 宿と食事で一万二千円までにしています",
    ),
    (
        "the asker is named with さん",
        "10:00 ken: 合宿の予算はひとりいくらまでですか？
         10:01 mio: 今日は雨で駅まで歩くのが大変でした
         10:03 hana: kenさん、宿と食事で一万二千円までにしています",
        "ken: 合宿の予算はひとりいくらまでですか？ → hana: 宿と食事で一万二千円までにしています",
    ),
    (
        "the asker is named before a colon",
        "10:00 ann: how do I list the partitions of a disk?
         10:01 dan: the coffee machine on the second floor leaks again
         10:02 bob: ann: fdisk prints the table of every disk it finds",
        "ann: how do I list the partitions of a disk? → bob: fdisk prints the table of every disk it finds",
    ),
    (
        "the asker is named before a comma",
        "10:00 ann: how do I list the partitions of a disk?
         10:02 bob: Ann, fdisk prints the table of every disk it finds",
        "ann: how do I list the partitions of a disk? → bob: fdisk prints the table of every disk it finds",
    ),
    (
        "the answer stands in the thread of the question",
        "10:00 mio: 監視サーバーの古いログは消してもいいですか？
         10:01 ken: 新しい椅子が三脚届いたので会議室に置きました
         10:30/10:00 hana: 三十日で毎晩消しています",
        "mio: 監視サーバーの古いログは消してもいいですか？ → hana: 三十日で毎晩消しています",
    ),
    (
        "the thread goes on with a question and its answer",
        "10:00 ann: The new gateway drops long uploads, I opened a ticket.
         10:05/10:00 bob: Which size of upload fails on the gateway?
         10:09/10:00 ann: Every upload above two gigabytes fails after a minute.",
        "bob: Which size of upload fails on the gateway? → ann: Every upload above two gigabytes fails after a minute",
    ),
    (
        "the question is quoted",
        "10:00 ann: Does the importer keep the order of the attachments?
         10:10 dan: The lift is out of order until Thursday noon.
         10:40 bob: > Does the importer keep the order of the attachments?\\nThe importer sorts attachments by upload time since version 4.",
        "ann: Does the importer keep the order of the attachments? → bob: The importer sorts attachments by upload time since version 4",
    ),
    (
        "a part of the question is quoted in Japanese",
        "10:00 ken: 来月の勉強会の会場は図書館の二階で合っていますか？
         10:10 mio: 駅前の蕎麦屋は木曜が定休日になりました
         10:30 hana: > 勉強会の会場は図書館の二階\\n会場は図書館の三階に変更になりました",
        "ken: 来月の勉強会の会場は図書館の二階で合っていますか？ → hana: 会場は図書館の三階に変更になりました",
    ),
    (
        "of two lines to two people the right one is taken",
        "10:00 ann: how do I list the partitions of a disk?
         10:01 cy: the log of the print server is empty
         10:02 bob: cy: the print server writes to the folder of the spooler
         10:02 bob: ann: fdisk prints the table of every disk it finds",
        "ann: how do I list the partitions of a disk? → bob: fdisk prints the table of every disk it finds",
    ),
    (
        "asked by name, answered by that name",
        "10:00 ann: bob: which port does the staging proxy listen on?
         10:01 dan: the coffee machine on the second floor leaks again
         10:02 bob: ann: the staging proxy listens on port 8443 since Monday",
        "ann: bob: which port does the staging proxy listen on? → bob: the staging proxy listens on port 8443 since Monday",
    ),
    (
        "somebody else asked in between",
        "10:00 ann: how do I list the partitions of a disk?
         10:01 cy: where is the log of the print server?
         10:03 bob: @ann fdisk prints the table of every disk it finds",
        "ann: how do I list the partitions of a disk? → bob: fdisk prints the table of every disk it finds",
    ),
];

const APART: [(&str, &str); 26] = [
    (
        "the answerer wonders",
        "10:00 ann: how do I list the partitions of a disk?
         10:02 bob: ann: hm, the partitions of that disk were listed by the installer before",
    ),
    (
        "the answerer wonders, in Japanese",
        "10:00 ken: 合宿の予算はひとりいくらまでですか？
         10:03 hana: kenさん、うーん、合宿の予算は去年は一万円で決めていました",
    ),
    (
        "the number is part of a name",
        "10:00 ken: 新しいギターは何本買う予定でしたっけ、いくらですか？
         10:01 mio: それよりV6の曲をみんなで聴いた話がよかったです
         10:03 hana: kenさん、V6の話をしていました",
    ),
    (
        "somebody's own problem, 59 minutes later",
        "10:00 ann: Does the wireless driver of the Acme card work with the new kernel?
         10:59 bob: I installed the new kernel and the wireless driver of the Acme card crashes at boot",
    ),
    (
        "the same matter, straight after, between three",
        "10:00 ann: Does anybody know when the release freeze starts?
         10:01 bob: the freeze of the last release started on March 9 and nobody liked it
         10:02 cy: lunch is at noon",
    ),
    (
        "two people, one after the other",
        "10:00 mio: 監視サーバーの古いログは消してもいいですか？
         10:04 ken: 監視サーバーのログを眺めていたら半日終わりました",
    ),
    (
        "an answer meant for another",
        "10:00 ann: how do I mount a disk with a windows partition?
         10:01 cy: I want to mount a network disk at boot
         10:02 bob: cy: put the network disk into fstab and mount it at boot",
    ),
    (
        "an answer to another, begun with a call",
        "10:00 mio: 勉強会の会場はどこですか？
         10:02 ken: @hana 会場の鍵は図書館の受付で借りられます",
    ),
    (
        "an answer in another thread",
        "10:00 mio: 監視サーバーの古いログは消してもいいですか？
         10:01 ken: 新しい監視サーバーのログの置き場を決めましょう
         10:30/10:01 hana: 古いログは三十日で消す決まりにします",
    ),
    (
        "an answer at top level while the question has a thread of its own",
        "10:00 ann: The gateway was replaced on Monday.
         10:05/10:00 bob: Which gateway was replaced by the new one?
         10:06 cy: The new gateway stands in the server room since Monday.",
    ),
    (
        "the asker spoken about",
        "10:00 ann: does the scanner read both sides of a page?
         10:03 bob: the printer of the second floor eats every page that ann feeds it",
    ),
    (
        "thanks to the asker",
        "10:00 ann: does the scanner read both sides of a page?
         10:03 bob: @ann thanks, the new driver of the printer works fine for me now",
    ),
    (
        "the same problem, told to the asker",
        "10:00 ann: why does the scanner stop after ten pages?
         10:03 bob: @ann I have the same problem with the scanner of the third floor",
    ),
    (
        "the same problem, told to the asker in Japanese",
        "10:00 ken: スキャナーが十枚で止まるのはなぜでしょうか？
         10:03 mio: @ken うちのスキャナーも同じ問題で困っています",
    ),
    (
        "the same problem, in the thread",
        "10:00 ken: スキャナーが十枚で止まるのはなぜでしょうか？
         10:03/10:00 mio: 私も三階のスキャナーで同じ現象が出て困っています",
    ),
    (
        "a report to whoever helps",
        "10:00 ann: does the scanner read both sides of a page?
         10:01 bob: my laptop loses the network every hour
         10:02 ann: bob: switch the power saving of the network card off
         10:04 bob: ann: switched it off, the network card sleeps all the same",
    ),
    (
        "the asker has turned to somebody else",
        "10:00 ann: does the scanner read both sides of a page?
         10:02 ann: cy: the key of the archive hangs behind the door
         10:03 bob: ann: the archive was locked by the janitor last night",
    ),
    (
        "asked of somebody else by name",
        "10:00 ann: cy: does the scanner read both sides of a page?
         10:03 bob: ann: the archive was locked by the janitor last night",
    ),
    (
        "two questions in one thread, and an answer that says not to which",
        "10:00 ann: How long are the nightly backups kept?
         10:05/10:00 cy: And who may restore the nightly backups?
         10:09/10:00 bob: The operators of the second server, for ninety days.",
    ),
    (
        "asked back in the thread",
        "10:00 ann: How long are the nightly backups kept?
         10:05/10:00 bob: Do you mean the database or the files?
         10:06/10:00 ann: I mean the things in the vault.
         10:09/10:00 bob: Those are kept for ninety days on the second server.",
    ),
    (
        "somebody goes on with what they were saying",
        "10:00 bob: @ann the printer of the second floor is out of paper again
         10:01 ann: @bob does the scanner read both sides of a page?
         10:01 bob: @ann and the paper for it is ordered for Thursday",
    ),
    (
        "a question to nobody in particular is passed over",
        "10:00 ann: does the scanner read both sides of a page?
         10:03 bob: @ann the meeting about the new office was moved to Thursday",
    ),
    (
        "in a thread, further down, about something else",
        "10:00 cy: The new scanner stands in the hall.
         10:02/10:00 ann: Does it read both sides of a page?
         10:04/10:00 bob: Finally a machine with a cover that closes.",
    ),
    (
        "asked back, and the asker asks something else",
        "10:00 ann: How long are the nightly backups kept?
         10:02 ann: Where is the key of the archive room?
         10:04 bob: ann: the janitor hung it behind the door of the kitchen",
    ),
    (
        "half an hour later, by name",
        "10:00 ann: does the scanner read both sides of a page?
         10:45 bob: ann: the meeting about the new office was moved to Thursday",
    ),
    (
        "a program that answers everybody with a word",
        "10:00 ann: how do I list the partitions of a disk?
         10:01 bot: ann: please see my private message about the partitions of a disk",
    ),
];

#[test]
fn a_question_and_an_answer_are_told_together_where_the_talk_says_so() {
    for (why, said, pair) in JOINED {
        let found = pairs(said);
        assert!(found.len() == 1 && found.iter().all(|line| line.contains(pair)), "{why}: {found:#?}");
    }
}

#[test]
fn elsewhere_they_stand_apart() {
    for (why, said) in APART {
        assert_eq!(pairs(said), Vec::<String>::new(), "{why}");
    }
}

/// A part of an answer may be about another matter, or lack what restricts it.
#[test]
fn an_answer_is_told_whole_or_apart_from_its_question() {
    let apart = pairs(
        "10:00 ann: How long does a ticket of the harbour museum stay valid?
         10:05/10:00 bob: Season tickets of the museum stay valid to the end of October, and the desk of the harbour sells them. I believe another ticket has no last day either, but I am not certain.",
    );
    assert_eq!(apart, Vec::<String>::new());
    let all = pairs(
        "10:00 ann: When is the library open?
         10:05/10:00 bob: The reading room opens at nine. The library opens an hour later.",
    );
    let whole = all.concat();
    assert!(
        whole.ends_with("→ bob: The reading room opens at nine; The library opens an hour later"),
        "{whole}"
    );
}

/// What begins with `only` says how much of something, and answers nothing by that word alone.
#[test]
fn only_is_no_yes_and_no_no() {
    let found = pairs(
        "10:00 ann: was the page about the scanner written here?
         10:01 cy: The lift is out of order until Thursday noon.
         10:03 bob: @ann only four or five lamps of the row are still burning",
    );
    assert_eq!(found, Vec::<String>::new());
    let found = pairs(
        "10:00 ann: is the workshop open at the weekend?
         10:01 cy: The lift is out of order until Thursday noon.
         10:03 bob: @ann yes, on Saturdays and Sundays until nine",
    );
    assert!(found.concat().contains("→ bob: yes, on Saturdays and Sundays until nine"), "{found:#?}");
}

/// A chapter kept word for word bears no threads: what was said in one is not known, names and quotations are.
#[test]
fn talk_kept_word_for_word_is_held_to_the_same_rule() {
    let apart = "[2026-03-02 10:00] mio: 監視サーバーの古いログは消してもいいですか？\n\
                 [2026-03-02 10:04] ken: 監視サーバーのログを眺めていたら半日終わりました";
    assert!(!merge("", &[entry(apart)], 500).contains(" → "));
    let joined = "[2026-03-02 10:00] ken: 合宿の予算はひとりいくらまでですか？\n\
                  [2026-03-02 10:03] hana: @ken 宿と食事で一万二千円までにしています";
    assert!(merge("", &[entry(joined)], 500).contains(" → hana: 宿と"));
}

/// Two lines of one person that lie side by side in time, one in a thread and one not, are two turns.
#[test]
fn a_line_of_a_thread_and_a_line_of_the_channel_are_not_one_turn() {
    let found = pairs(
        "10:00 ann: How long are the nightly backups kept?
         10:05 bob: The coffee machine of the second floor was repaired by the janitor.
         10:06/10:00 bob: Nightly backups are kept for ninety days on the second server.",
    );
    let whole = found.concat();
    assert!(whole.contains("→ bob: Nightly backups are kept for ninety days"), "{whole}");
    assert!(!whole.contains("coffee"), "{whole}");
}

/// A reply in the thread of a question means that somebody took it up, whatever words they chose.
#[test]
fn a_question_with_a_reply_in_its_thread_is_not_called_unanswered() {
    let lines = threads(
        "10:00 ann: How long are the nightly backups kept on the old server?
         10:20/10:00 bob: Hmm, let me look that up tomorrow.
         11:30 cy: The excursion to the lake was moved to Saturday.",
    );
    let written = text(talk("", lines), 300);
    assert!(!written.contains("unanswered"), "{written}");
}

/// The bullets of lines without threads are those of `day`.
#[test]
fn the_helper_reads_lines_like_the_others() {
    let said = "10:00 ann: how do I list the partitions of a disk?";
    assert_eq!(threads(said), day("2026-03-02", said));
}
