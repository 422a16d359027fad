//! The scenes in English.

use super::scene::{Scene, replied, said};

pub(super) const SCENES: &[Scene] = &[
    Scene {
        kind: "a second apart",
        lines: &[
            said("a", 0, "I'll bring the {1} samples to the hall on Friday"),
            said("b", 1, "I finished the {2} report yesterday, it has 48 pages"),
            said("c", 1, "I decided to cancel the {3} order"),
            said("a", 1, "the {4} pump is mine to repair, I start on Monday"),
        ],
        owners: &[("1", "a"), ("2", "b"), ("3", "c"), ("4", "a")],
    },
    Scene {
        kind: "question and answer",
        lines: &[
            said("a", 0, "<@b> when do you want to look at the {1} plan?"),
            said("c", 30, "I moved the {3} boxes to the cellar this morning"),
            said("b", 20, "<@a> on 12 May at ten, I booked the {2} room for it"),
        ],
        owners: &[("1", "a"), ("2", "b"), ("3", "c")],
    },
    Scene {
        kind: "thread",
        lines: &[
            said("a", 0, "who can take over the {1} shift on Sunday?"),
            said("c", 40, "I sold the old {3} press for 700 euros"),
            replied("b", 60, "I can, if I may leave the {2} keys with the porter on Saturday"),
            replied("a", 30, "yes, I'll tell the {4} porter"),
        ],
        owners: &[("1", "a"), ("2", "b"), ("3", "c"), ("4", "a")],
    },
    Scene {
        kind: "quotation",
        lines: &[
            said("a", 0, "I'll pay the {1} invoice on Monday"),
            said(
                "b",
                50,
                "> I'll pay the {1} invoice on Monday\nthat is too late, I pay the {2} deposit today",
            ),
        ],
        owners: &[("1", "a"), ("2", "b")],
    },
    Scene {
        kind: "quotation of several lines",
        lines: &[said(
            "b",
            0,
            "> I will ship the {1} crates on 4 May.\n> I will also label the {2} boxes.\n{a} wrote that this morning; I'll order the {3} van then",
        )],
        owners: &[("1", "a"), ("2", "a"), ("3", "b")],
    },
    Scene {
        kind: "introduced by a line",
        lines: &[said(
            "b",
            0,
            "{a} wrote:\nI will ship the {1} crates on 4 May. I will also label the {2} boxes before Tuesday.",
        )],
        owners: &[("1", "a"), ("2", "a")],
    },
    Scene {
        kind: "introduced within the line",
        lines: &[said(
            "b",
            0,
            "{a} says: I will paint the {1} door on 9 June. I also want to replace the {2} lock for 80 euros.",
        )],
        owners: &[("1", "a"), ("2", "a")],
    },
    Scene {
        kind: "somebody outside, introduced",
        lines: &[said(
            "b",
            0,
            "answer from {z}:\nWe deliver the {1} parts on 3 June. We raise the {2} price to 95 euros.",
        )],
        owners: &[("1", "z"), ("2", "z")],
    },
    Scene {
        kind: "in quotation marks",
        lines: &[
            said("b", 0, "{a} said \"I'll drive the {1} van on Sunday. I leave the {2} ramp at home.\""),
            said(
                "c",
                40,
                "\"I'll drive the {3} bus as well\", {a} told me, \"and I clean the {4} hall on Monday.\"",
            ),
        ],
        owners: &[("1", "a"), ("2", "a"), ("3", "a"), ("4", "a")],
    },
    Scene {
        kind: "reported",
        lines: &[
            said("b", 0, "{a} said she will repair the {1} pump by Thursday"),
            said("c", 60, "according to {a} the {2} lamps cost 320 euros, I'll order the {3} lamps instead"),
        ],
        owners: &[("1", "a"), ("2", "a"), ("3", "c")],
    },
    Scene {
        kind: "forwarded message",
        lines: &[said(
            "b",
            0,
            "fyi, I'll tell the {2} team about it tomorrow\n> <~a>, #ops: I'll close the {1} account on Friday. I have already moved the {3} money.",
        )],
        owners: &[("1", "a"), ("2", "b"), ("3", "a")],
    },
    Scene {
        kind: "forwarded e-mail",
        lines: &[said(
            "b",
            0,
            "I'll answer the {3} people on Monday\n---------- Forwarded message ---------\nFrom: {z}\nSubject: parts\n\nI will deliver the {1} parts on 3 June. I cancelled the {2} order last week.",
        )],
        owners: &[("1", "z"), ("2", "z"), ("3", "b")],
    },
    Scene {
        kind: "answered e-mail",
        lines: &[said(
            "b",
            0,
            "I agree, and I'll send the {3} sketches tonight.\n\nOn Mon, 3 Mar 2025 at 10:12, {z} wrote:\nI will come to the {1} fair on 3 June. I decided to bring the {2} tent.",
        )],
        owners: &[("1", "z"), ("2", "z"), ("3", "b")],
    },
    Scene {
        kind: "bridged by a program",
        lines: &[
            said("r", 0, "<{x}> I'll host the {1} evening on Saturday. I bought the {2} lamps for 60 euros."),
            said("r", 1, "<{y}> I decided to skip the {3} workshop"),
            said("b", 20, "I'll bring the {4} cables"),
        ],
        owners: &[("1", "x"), ("2", "x"), ("3", "y"), ("4", "b")],
    },
    Scene {
        kind: "bridged under a name",
        lines: &[
            said("u", 0, "I'll host the {1} morning on Saturday. I bought the {2} chairs for 60 euros."),
            said("b", 2, "I'll bring the {3} tables then"),
        ],
        owners: &[("1", "u"), ("2", "u"), ("3", "b")],
    },
    Scene {
        kind: "pasted log",
        lines: &[said(
            "c",
            0,
            "[10:02] {a}: I'll book the {1} hall for 7 July. I'll pay the {2} fee as well.\n[10:03] {b}: I decided to print the {3} posters",
        )],
        owners: &[("1", "a"), ("2", "a"), ("3", "b")],
    },
    Scene {
        kind: "pasted IRC log",
        lines: &[said(
            "c",
            0,
            "<{a}> I'll book the {1} boat for 7 July. I'll pay the {2} skipper as well.\n<{b}> I decided to print the {3} maps",
        )],
        owners: &[("1", "a"), ("2", "a"), ("3", "b")],
    },
    Scene {
        kind: "pasted talk without times",
        lines: &[said(
            "c",
            0,
            "{a}: I'll book the {1} train for 7 July. I'll pay the {2} fare as well.\n{b}: I decided to take the {3} bicycle",
        )],
        owners: &[("1", "a"), ("2", "a"), ("3", "b")],
    },
    Scene {
        kind: "same name",
        lines: &[
            said("k", 0, "I'll water the {1} trees every Tuesday"),
            said("l", 2, "I decided to cut the {2} hedge on 5 April"),
        ],
        owners: &[("1", "k"), ("2", "l")],
    },
    Scene {
        kind: "same first name",
        lines: &[
            said("m", 0, "I'll water the {1} roses every Tuesday"),
            said("n", 2, "I decided to cut the {2} lawn on 5 April"),
        ],
        owners: &[("1", "m"), ("2", "n")],
    },
    Scene {
        kind: "sentences that go on",
        lines: &[
            said("a", 0, "for the {1} concert on 8 May I'll bring"),
            said("b", 2, "the {2} drums stay in my car until Monday"),
            said("a", 3, "the {3} guitar and two chairs"),
        ],
        owners: &[("1", "a"), ("2", "b"), ("3", "a")],
    },
    Scene {
        kind: "other words for it",
        lines: &[
            said(
                "b",
                0,
                "this is what {a} sent me: I'll wash the {1} sails on 4 May. I also want to sell the {2} ropes for 90 euros.",
            ),
            said(
                "c",
                60,
                "{z}'s answer: we repair the {3} mast in June. We cancelled the {4} crane last week.",
            ),
        ],
        owners: &[("1", "a"), ("2", "a"), ("3", "z"), ("4", "z")],
    },
    Scene {
        kind: "a list under a name",
        lines: &[said(
            "b",
            0,
            "{a} told me yesterday:\n- I'll wash the {1} cups on 4 May\n- I decided to sell the {2} plates for 90 euros\n- the {3} kettle stays with me until Friday",
        )],
        owners: &[("1", "a"), ("2", "a"), ("3", "a")],
    },
    Scene {
        kind: "a log with brackets",
        lines: &[said(
            "c",
            0,
            "{a} (10:02): I'll book the {1} coach for 7 July. I'll pay the {2} driver as well.\n{b} (10:03): I decided to print the {3} tickets",
        )],
        owners: &[("1", "a"), ("2", "a"), ("3", "b")],
    },
    Scene {
        kind: "a copy out of the client",
        lines: &[said(
            "c",
            0,
            "{a}  10:02 AM\nI'll book the {1} ferry for 7 July. I'll pay the {2} captain as well.\n{b}  10:03 AM\nI decided to print the {3} stamps",
        )],
        owners: &[("1", "a"), ("2", "a"), ("3", "b")],
    },
    Scene {
        kind: "a long quotation in marks",
        lines: &[said(
            "b",
            0,
            "{a}: \"I'll wash the {1} floor on 4 May. I also want to sell the {2} carpet for 90 euros.\" so I order the {3} tiles",
        )],
        owners: &[("1", "a"), ("2", "a"), ("3", "b")],
    },
    Scene {
        kind: "a bridge with another mark",
        lines: &[
            said("r", 0, "[{x}] I'll host the {1} night on Saturday. I bought the {2} candles for 60 euros."),
            said("r", 1, "{y}: I decided to skip the {3} seminar. I'll read the {4} book at home."),
        ],
        owners: &[("1", "x"), ("2", "x"), ("3", "y"), ("4", "y")],
    },
];
