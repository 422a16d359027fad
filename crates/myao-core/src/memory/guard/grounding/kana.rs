//! Japanese names in Latin letters, and Latin names in katakana.

/// Each sign of hiragana, with its syllable in Latin letters.
const SYLLABLES: &str = "あa いi うu えe おo かka きki くku けke こko がga ぎgi ぐgu げge ごgo さsa しshi すsu せse そso \
    ざza じji ずzu ぜze ぞzo たta ちchi つtsu てte とto だda ぢji づzu でde どdo なna にni ぬnu ねne のno はha ひhi ふfu \
    へhe ほho ばba びbi ぶbu べbe ぼbo ぱpa ぴpi ぷpu ぺpe ぽpo まma みmi むmu めme もmo やya ゆyu よyo らra りri るru れre \
    ろro わwa をo んn ゔvu";

/// Family names that are common and rarely anything else, with their reading.
const SURNAMES: &str = "佐藤さとう 鈴木すずき 高橋たかはし 田中たなか 伊藤いとう 渡辺わたなべ 山本やまもと 中村なかむら \
    小林こばやし 加藤かとう 吉田よしだ 山田やまだ 佐々木ささき 山口やまぐち 松本まつもと 井上いのうえ 木村きむら \
    斎藤さいとう 山崎やまざき 池田いけだ 阿部あべ 橋本はしもと 石川いしかわ 前田まえだ 藤田ふじた 後藤ごとう \
    岡田おかだ 長谷川はせがわ 村上むらかみ 近藤こんどう 坂本さかもと 遠藤えんどう 青木あおき 藤井ふじい 西村にしむら \
    福田ふくだ 太田おおた 三浦みうら 藤原ふじわら 岡本おかもと 松田まつだ 中川なかがわ 原田はらだ 竹内たけうち \
    金子かねこ 和田わだ 中山なかやま 石田いしだ 上田うえだ 森田もりた 柴田しばた 酒井さかい 工藤くどう 横山よこやま \
    宮本みやもと 内田うちだ 高木たかぎ 安藤あんどう 谷口たにぐち 大野おおの 丸山まるやま 今井いまい 高田たかだ \
    藤本ふじもと 武田たけだ 村田むらた 上野うえの 杉山すぎやま 増田ますだ 菅原すがわら 平野ひらの 久保くぼ \
    千葉ちば 岩崎いわさき 桜井さくらい 木下きのした 野口のぐち 松尾まつお 菊地きくち 野村のむら 新井あらい";

/// Family names as kanji and reading.
pub(super) fn surname_readings() -> impl Iterator<Item = (&'static str, &'static str)> {
    SURNAMES.split_whitespace().filter_map(|entry| {
        let reading = entry.find(|c| matches!(c, '\u{3041}'..='\u{309f}'))?;
        entry.split_at_checked(reading)
    })
}

/// A reading in Latin letters: たなか is `tanaka`. A character that has no letters is left out.
pub(super) fn in_latin(kana: &str) -> String {
    let mut out = String::new();
    let mut doubles = false;
    for c in kana.chars().map(as_hiragana) {
        let small = "ゃゅょぁぃぅぇぉ"
            .chars()
            .zip(["ya", "yu", "yo", "a", "i", "u", "e", "o"])
            .find(|(s, _)| *s == c);
        if let Some((_, letters)) = small {
            // しゃ is sha, きゃ is kya, ファ is fa.
            out.pop();
            let is_soft = ["sh", "ch", "j"].iter().any(|end| out.ends_with(end));
            out.push_str(if is_soft { letters.trim_start_matches('y') } else { letters });
            continue;
        }
        let letters =
            SYLLABLES.split_whitespace().find_map(|entry| entry.strip_prefix(c)).unwrap_or_default();
        if doubles {
            out.extend(letters.chars().next());
        }
        out.push_str(letters);
        doubles = c == 'っ';
    }
    out
}

/// Katakana as hiragana; any other character as it is.
pub(super) fn as_hiragana(c: char) -> char {
    match c {
        '\u{30a1}'..='\u{30f4}' => char::from_u32(u32::from(c) - 0x60).unwrap_or(c),
        c => c,
    }
}

/// The consonants by which a name in Latin letters and the same name in katakana are known as one: `Michael` and
/// マイケル are `nkr`, `Sarah` and サラ are `sr`. Vowels come and go between the two, and letters that katakana does not
/// tell apart are one: l and r, b and v, m and n.
pub(super) fn consonant_skeleton(latin: &str) -> String {
    let mut out = String::new();
    let lower =
        latin.to_lowercase().replace("ph", "f").replace("ck", "k").replace("ch", "k").replace("sh", "s");
    let lower = lower.replace("th", "s").replace("ts", "t").replace("qu", "k").replace('x', "ks");
    for c in lower.chars() {
        let c = match c {
            'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'h' | 'w' => continue,
            'l' => 'r',
            'v' => 'b',
            'c' | 'q' => 'k',
            'z' => 's',
            'g' => 'j',
            'm' => 'n',
            c if c.is_ascii_alphabetic() => c,
            _ => continue,
        };
        if !out.ends_with(c) {
            out.push(c);
        }
    }
    out
}
