//! `demo`.

use super::private_words;
use crate::binary::{Home, number};

#[test]
fn the_demo_shows_the_whole_way() {
    for (language, channel, history) in [
        ("ja", "#新茶2026", "### 最近の出来事（短期記憶履歴）"),
        ("en", "#spring-count", "### Recent events"),
    ] {
        let home = Home::new();
        let ran = home.done(&["demo", "--terminal", "--lang", language, "--keep", "kept"]);
        for part in
            ["1. A workspace", "2. Its talk", "3. The chapters", "4. What it remembers", "5. The prompt"]
        {
            assert!(ran.out.contains(part), "{part}");
        }
        assert!(ran.out.contains("verbatim") && ran.out.contains("summary"), "chapters");
        assert!(
            ran.out.contains(&format!("## {channel}, long-term"))
                && ran.out.contains("## Workspace, long-term")
        );
        assert!(ran.out.contains("===== system =====") && ran.out.contains(history), "{}", ran.out);
        for word in private_words(language) {
            assert!(!ran.out.contains(*word), "{word}");
        }
        home.write("config.yaml", "memory: {database_path: kept/memory.db}");
        let status = home.adds_up();
        assert_eq!(
            number(&status, "covered"),
            number(&status, "messages"),
            "what was kept is a whole database"
        );
        home.done(&["demo", "--terminal", "--lang", language, "--keep", "kept"]);
        assert_eq!(home.adds_up()["messages"], status["messages"], "played again it changes nothing");
    }
}
