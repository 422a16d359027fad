//! Exports that are cut off, hostile or none.

use std::{fs, path::Path};

use serde_json::json;

use super::{goes_on, good, import};
use crate::{
    binary::{Home, number},
    exports::{Export, said},
};

#[test]
fn a_cut_off_day_costs_what_is_cut_off_and_is_named() {
    let home = Home::new();
    let day = json!([said("1772510000.000100", "U1", "half"), said("1772510001.000100", "U1", "of it")])
        .to_string();
    let cut_off: String = day.chars().take(day.chars().count() - 20).collect();
    let export = good().with_raw("general/2026-03-02.json", cut_off).folder(&home, "export", None);
    let ran = import(&home, &export);
    ran.ends(1, "general/2026-03-02.json: broken JSON at line 1");
    assert!(ran.out.contains("1 file damaged: what is whole was read"), "{ran:?}");
    goes_on(&home, 3);
    assert!(home.done(&["prompt", "general"]).out.contains("half"));

    home.write("export/general/2026-03-02.json", day);
    import(&home, &export).ends(0, "");
    home.done(&["memory", "build"]);
    assert_eq!(number(&home.adds_up(), "messages"), 4, "mended, it is taken in whole");
}

#[test]
fn one_bad_byte_in_a_day_costs_one_message() {
    let home = Home::new();
    let said = |n: u32, text: &str| said(&format!("17725100{n:02}.000100"), "U1", text).to_string();
    let all: Vec<String> = (0..20).map(|n| said(n, &format!("words {n}"))).collect();
    for (n, bad) in [&b"\xFF"[..], b"\0", b"\"", b"\\ud83d"].into_iter().enumerate() {
        let (before, after) = all.split_at(10);
        let middle = said(30, "some X words").into_bytes();
        let at = middle.iter().position(|byte| *byte == b'X').expect("there");
        let middle =
            [middle.get(..at), Some(bad), middle.get(at + 1..)].map(Option::unwrap_or_default).concat();
        let day = [b"[", before.join(",").as_bytes(), b",", &middle, b",", after.join(",").as_bytes(), b"]"]
            .concat();
        let day_file = format!("general/2026-03-{:02}.json", n + 2);
        let export = Export::new().with_raw(&day_file, day).folder(&home, &format!("export{n}"), None);
        let ran = home.run(&["import", "slack", export.to_str().expect("UTF-8"), "--json"]);
        let is_surrogate = n == 3;
        assert_eq!(ran.code, Some(i32::from(!is_surrogate)), "{ran:?}");
        assert_eq!(number(&ran.json(), "messages"), 20 + u64::from(is_surrogate), "{ran:?}");
        assert_eq!(number(&ran.json(), "files_failed"), 0, "{ran:?}");
    }
    goes_on(&home, 21);
}

#[test]
fn a_zip_that_leads_out_is_refused_there_and_read_elsewhere() {
    let home = Home::new();
    let evil = json!([said("1772510000.000100", "U1", "evil")]);
    let zip = good()
        .with("../../evil/2026-03-02.json", &evil)
        .with("/tmp/myao-evil/2026-03-02.json", &evil)
        .with("..\\evil\\2026-03-02.json", &evil)
        .zip(&home, "deep/er/export.zip");
    let ran = import(&home, &zip);
    ran.ends(1, "../../evil/2026-03-02.json: a path that leads out of the export, refused");
    assert!(ran.out.contains("3 entries refused"), "{ran:?}");
    goes_on(&home, 2);
    assert!(!home.path("evil").exists() && !Path::new("/tmp/myao-evil").exists());
}

#[test]
fn what_is_no_export_is_said_to_be_none() {
    let home = Home::new();
    home.write("folder/readme.txt", "hello");
    home.write("text.zip", "this is no zip");
    home.write(
        "cut.zip",
        fs::read(good().zip(&home, "whole.zip")).expect("read").get(..200).expect("long enough"),
    );
    for (path, words) in [
        ("nowhere", "there is nothing at `nowhere`; expected a Slack export, as a folder or a .zip"),
        ("folder", "`folder` is no Slack export: it has neither channels.json nor users.json"),
        ("folder/readme.txt", "`folder/readme.txt` is neither a folder nor a whole zip file"),
        ("text.zip", "`text.zip` is neither a folder nor a whole zip file"),
        ("cut.zip", "`cut.zip` is neither a folder nor a whole zip file"),
        ("/dev/null", "`/dev/null` is neither a folder nor a whole zip file (it is no regular file)"),
    ] {
        home.run(&["import", "slack", path]).ends(2, words);
    }
    let export = good().with_raw("channels.json", "[{\"id\": \"C1\"").folder(&home, "broken", None);
    import(&home, &export).ends(2, "`channels.json` of the export");
    assert!(!home.path("data").exists(), "no database is made for it");

    import(&home, &good().folder(&home, "whole", None)).ends(0, "");
    let messages = number(&home.adds_up(), "messages");
    import(&home, &export).ends(2, "`channels.json` of the export");
    assert_eq!(number(&home.adds_up(), "messages"), messages);
}
