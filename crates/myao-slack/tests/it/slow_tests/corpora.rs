//! Real exports, where they are at hand (`MYAO_CORPORA`, else `../shared/data` beside the repository).

use std::{fs, io, path::Path, path::PathBuf, time::Instant};

use myao_core::chat::Event;
use serde_json::Value;
use tempfile::TempDir;
use zip::ZipArchive;

use crate::sample::now;
use myao_slack::export::{Export, ImportReport};

const CORPORA: [&str; 3] = ["haskell_jp", "irc_gold", "mrmp_ja"];

#[test]
fn real_exports_give_the_counts_they_are_described_with() {
    let root = corpora();
    for name in CORPORA {
        let folder = root.join(name);
        let Ok(about) = fs::read_to_string(folder.join("META.json")) else {
            println!("skipped: no corpus at {}", folder.display());
            continue;
        };
        let about: Value = serde_json::from_str(&about).unwrap();
        let counted = |key: &str| about["counts"][key].as_u64().unwrap();
        let zip = folder.join("export.zip");
        let (events, report) = read(&zip);
        assert_eq!(report.messages + report.notices, counted("messages"), "{name}");
        assert_eq!((report.users, report.channels), (counted("users"), counted("channels")), "{name}");
        assert_eq!(
            (report.files_failed, report.unread, report.duplicates, report.deleted),
            (0, 0, 0, 0),
            "{name}"
        );
        assert_eq!(report.problems, [""; 0], "{name}");
        let unpacked = unpack(&zip);
        let (from_folder, folder_report) = read(unpacked.path());
        assert_eq!(folder_report, report, "{name}");
        let all_but_the_end = |events: &[Event]| {
            events.iter().filter(|e| !matches!(e, Event::HeardUntil { .. })).cloned().collect::<Vec<_>>()
        };
        assert!(all_but_the_end(&from_folder) == all_but_the_end(&events), "{name}: folder and zip differ");
    }
}

fn corpora() -> PathBuf {
    option_env!("MYAO_CORPORA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from)
}

fn read(path: &Path) -> (Vec<Event>, ImportReport) {
    let started = Instant::now();
    let mut events = Vec::new();
    let mut report = ImportReport::default();
    for step in Export::open(path).unwrap().steps(now()) {
        events.extend(step.events);
        report += step.report;
    }
    println!("{}: {:?} in {:?}", path.display(), report, started.elapsed());
    (events, report)
}

fn unpack(zip: &Path) -> TempDir {
    let dir = TempDir::new().unwrap();
    let mut archive = ZipArchive::new(fs::File::open(zip).unwrap()).unwrap();
    for at in 0..archive.len() {
        let mut entry = archive.by_index(at).unwrap();
        let path = dir.path().join(entry.enclosed_name().unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        io::copy(&mut entry, &mut fs::File::create(path).unwrap()).unwrap();
    }
    dir
}
