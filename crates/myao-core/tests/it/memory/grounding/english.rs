//! English talk, what good models make of it, and what bad ones do.

use super::Talk;

pub(super) const TALKS: [Talk; 4] = [
    Talk {
        lines: &[
            ("2026-03-12 09:02", "hanna", "morning! can we settle the date for the garden party?"),
            ("2026-03-12 09:05", "ken_b", "I vote for the 28th, the hall is free then. 45 euros for the day"),
            ("2026-03-12 09:07", "hanna", "fine by me. the caterer wants 1,250 € and an answer by tomorrow"),
            ("2026-03-12 09:09", "ruth", "I'll call them at 3pm. how many are we? thirty-two?"),
            ("2026-03-12 09:10", "ken_b", "32 said yes, two have not answered, so about 35"),
            ("2026-03-12 09:30", "hanna", "ok. next monday we print the invitations, ken does the drawing"),
            ("2026-03-12 09:31", "ken_b", "will do. paper comes from muellers printshop in leeds"),
        ],
        good: &[
            "- 2026-03-12 Hanna and Ken_b: the garden party is on 2026-03-28; the hall costs 45 euros for the day.\n\
             - 2026-03-12 Ruth calls the caterer at 15:00 (1250 €, answer due 2026-03-13).",
            "- 2026-03-12 Decided: the party takes place on March 28th. 32 people said yes; two answers are missing.",
            "- 12 March: Ken will draw the invitations. They are printed on Monday, 16 March 2026.",
            "Open Questions:\n- 2026-03-12 Three people talked about money; Hanna's caterer wants an answer by Friday (3/13).",
            "- 2026-03-12 Ruth's call to the caterer: 3 p.m., price €1,250.\n- The paper comes from Mueller's in Leeds.",
            "- 2026-03-12 About 35 guests are expected, 32 of them for certain.",
            "Key Decisions:\n1. The Garden Party is held on the 28th.\n2. Ken does the drawing, Ruth makes the call.",
            "- 2026-03-12: @hanna wants the invitations printed on 2026-03-16. Kenneth draws them for her.",
        ],
        bad: &[
            "- 2026-03-12 Sarah books the hall for the garden party on 2026-03-28.",
            "- 2026-03-12 Hanna and Ken_b: the garden party is on 2026-04-28.",
            "- 2026-03-12 The caterer wants 1,520 € and an answer by tomorrow.",
            "- 2025-03-12 Ken_b: the hall is free on the 28th.",
            "- 2026-03-12 Ruth calls the caterer at 16:30.",
            "- 2026-03-12 The invitations are printed on March 18th.",
            "- 2026-03-12 The paper comes from a printshop in Manchester.",
            "- 2026-03-12 Hanna asked @michael to call the caterer.",
            "- 2026-03-12 48 people said yes, two have not answered.",
        ],
    },
    Talk {
        lines: &[
            (
                "2026-06-01 20:15",
                "tove",
                "my laptop won't boot since the upgrade to 24.04, it hangs at the k8s agent",
            ),
            (
                "2026-06-01 20:17",
                "mo",
                "had that on 22.04 too. hold shift, pick the 6.8.0-31 kernel, then purge the new one",
            ),
            ("2026-06-01 20:25", "tove", "that worked!! thanks. 500 MB of logs though, in 3 days"),
            ("2026-06-01 20:26", "mo", "set SystemMaxUse=100M in journald.conf, CI does the same"),
            (
                "2026-06-01 20:40",
                "tove",
                "done. I'm moving to lisbon in august btw, new job at the university",
            ),
            (
                "2026-06-01 20:41",
                "mo",
                "wow! my sister lives there. I hate goodbyes. let's have pizza on friday",
            ),
            ("2026-06-01 20:44", "tove", "gladly. 19:30 at mine? the github issue is #4711"),
        ],
        good: &[
            "- 2026-06-01 Tove: the laptop hung at the Kubernetes agent after the upgrade to 24.04; Mo's older kernel (6.8.0-31) solved it.",
            "- 2026-06-01 Tove is moving to Lisbon in August 2026 for a job at the university.\n- 2026-06-01 Mo dislikes goodbyes.",
            "- 2026-06-01 Pizza at Tove's on Friday, 2026-06-05, at 7:30 pm.",
            "- 2026-06-01 Mo limits logs to 100 MB with SystemMaxUse in `journald.conf`; Continuous Integration does it too.",
            "- 1 June 2026: GitHub issue #4711 is about the boot problem.",
            "Tove had half a gigabyte of logs (500 MB) after three days.",
            "- 2026-06-01 Mo's sister lives in Lisbon.\n- 2026-06-05 Pizza, 19:30.",
        ],
        bad: &[
            "- 2026-06-01 Tove is moving to Madrid in August.",
            "- 2026-06-01 Tove is moving to Lisbon in September 2026.",
            "- 2026-06-01 Mo recommended the kernel 6.5.0-12.",
            "- 2026-06-01 The issue is #4712.",
            "- 2026-06-01 Tove set a limit of 250 MB.",
            "- 2026-06-01 Emily asked for help with her laptop.",
            "- 2026-06-01 Pizza on 2026-06-14 at 19:30.",
            "- 2024-06-01 Tove's laptop would not boot.",
        ],
    },
    Talk {
        lines: &[
            (
                "2026-11-30 14:00",
                "Aiko Tanaka",
                "the deadline for the translation moved from 5 December to the end of the month",
            ),
            (
                "2026-11-30 14:03",
                "j.doe",
                "good, I only have 12,400 of 60,000 words. and Priya is ill until thursday",
            ),
            (
                "2026-11-30 14:04",
                "Aiko Tanaka",
                "yesterday she wrote she'd be back. we need two more people, 20 dollars an hour",
            ),
            ("2026-11-30 14:20", "j.doe", "I asked in the Berlin group. In 2025 we paid 18"),
            ("2026-11-30 14:21", "Aiko Tanaka", "next year it should be 25. half of it is paid on jan 15"),
        ],
        good: &[
            "- 2026-11-30 Tanaka: the translation's deadline moved from 2026-12-05 to the end of the month.",
            "- 2026-11-30 J. Doe has translated 12,400 of 60,000 words, written 12400 without the comma.",
            "- 2026-11-30 Priya is ill until Thursday (December 3); on 2026-11-29 she wrote that she would be back.",
            "- 2026-11-30 Two more translators are wanted at $20 an hour. In 2025 it was $18, for 2027 Aiko wants $25.",
            "- 2026-11-30 Half is paid on 2027-01-15.",
        ],
        bad: &[
            "- 2026-11-30 The deadline moved from 2026-12-05 to 2026-12-12.",
            "- 2026-11-30 Priya is ill until 2026-12-09.",
            "- 2026-11-30 j.doe has 14,200 of 60,000 words.",
            "- 2026-11-30 In 2023 they paid 18 dollars an hour.",
            "- 2026-11-30 Aiko Tanaka asked Thomas for help.",
            "- 2026-11-30 The rate is 35 dollars an hour.",
        ],
    },
    Talk {
        lines: &[
            (
                "2026-01-08 08:00",
                "Frieda",
                "die Projektleitung is happy: 3/4 of the tests are green, 1.5k in all",
            ),
            (
                "2026-01-08 08:02",
                "oskar",
                "@Frieda the other quarter waits for postgres 17. jan 20th they ship it",
            ),
            ("2026-01-08 08:10", "Frieda", "ok. then the review is a week later, say 10 am in room B12"),
            ("2026-01-08 08:11", "oskar", "I prefer tea to coffee at that time ;)"),
        ],
        good: &[
            "- 2026-01-08 Frieda: 3/4 of 1,500 tests are green; the rest waits for PostgreSQL 17, due 2026-01-20.",
            "- 2026-01-08 Frieda: the review is at 10:00 in room B12, a week after PostgreSQL 17 ships on Jan. 20th.",
            "- 2026-01-08 Oskar prefers tea to coffee.",
            "- 8 Jan 2026: The Projekt's leaders are happy, according to Frieda.",
        ],
        bad: &[
            "- 2026-01-08 Frieda: 2,500 tests are green.",
            "- 2026-01-08 PostgreSQL 17 ships on 2026-02-10.",
            "- 2026-01-08 The review is led by Patricia.",
            "- 2026-01-08 Oskar prefers tea to coffee; he told Wilhelm so.",
        ],
    },
];
