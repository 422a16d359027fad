//! Secrets as people write them to each other, in both languages, and harmless texts of the same look (ADR 90).
//!
//! Every token here is made up: it is put together from its prefix and drawn characters, so that it stands in no file.

use myao_core::text::{kinds_in_text, with_secrets_masked};

use crate::prompt_secrets::{HEX, LETTERS, chars};

const DIGITS: &str = "0123456789";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const URL_SAFE: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
/// Phrases of BIP 39's own test vectors, which belong to nobody's wallet.
const PHRASES: [&str; 3] = [
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
    "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
    "void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing screen patrol group \
     space point ten exist slush involve unfold",
];

/// What people call a password: the sentence around it, and the password.
const PASSWORDS: [(&str, &str); 45] = [
    ("password: {}", "hunter2"),
    ("the wifi password is {}", "Kestrel-88-pond"),
    ("WiFi password is \"{}\", ask me if it fails", "swordfish"),
    ("New password for the NAS is {}.", "tr0ub4dor&3"),
    ("pw: {}", "blue7Lantern"),
    ("user: admin\npass: {}", "S3nsei!"),
    ("Guest network key: {}", "welcome2office"),
    ("I changed the password to {} this morning", "Marmalade_1987"),
    ("the passphrase is {}", "correct-horse-battery-staple"),
    ("password (staging) = {}", "q9Vm!tulip"),
    ("Password -> {}", "4ndromeda"),
    ("passwd={}", "xK3jq0Pz"),
    ("Zoom link is in the invite, passcode: {}", "884213"),
    ("door code is {}", "4821#"),
    ("the pin for the safe is {}", "70419"),
    ("alarm code: {}", "9042"),
    ("password: `{}`", "monkey77!"),
    ("Password:\n{}", "Qwerty#2026"),
    ("root password was {} before the move", "0ldB0ss!"),
    ("the admin password is now {}", "zebra$stripes"),
    ("パスワードは{}です", "Tanuki4821"),
    ("パスワード：{}", "sakura2026!"),
    ("Wi-Fiのパスワードは「{}」です。", "genmaicha88"),
    ("社内wifiのpassword: {}", "onigiri-77-umeboshi"),
    ("パスワードを{}に変えました", "Kappa#0331"),
    ("新しいパスワードはこちら→{}", "m1karin0ki"),
    ("パスワードは以下です\n{}", "Hanabi_2025"),
    ("NASのパスワード（ゲスト用）は{}", "guest4neko"),
    ("パスワードは『{}』でお願いします", "himawari"),
    ("Zoomのパスは{}です", "592013"),
    ("暗証番号は{}です", "4829"),
    ("金庫の暗証番号：{}", "70318"),
    ("玄関の解除コードは{}", "2580#"),
    ("PINコードは「{}」", "6174"),
    ("ログインは admin / パスワードは ＰＷ：{}", "Ame-no-hi-7"),
    ("PW：{}", "yuki0Usagi"),
    ("パスフレーズは {} です", "midori-kawa-sora-tori"),
    ("パスワードは{}になります。", "AkaTonbo9!"),
    ("仮パスワード： {}", "kari-4471"),
    ("the password's {}", "hunter2"),
    ("can you try with password \"{}\"?", "letmein"),
    ("temp password – {}", "Spring!44"),
    ("パスワードですが、{}です", "Neko2Neko!"),
    ("ドアの暗証番号、{}です", "8821"),
    ("パスワードは→ {}", "Abc123xyz"),
];

/// A sentence with a secret in it, and the secret.
fn secrets() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> =
        PASSWORDS.map(|(said, secret)| (said.to_owned(), secret.to_owned())).into();
    let mut add = |said: &str, secret: String| found.push((said.to_owned(), secret));
    let bearer = format!("{}.{}", chars(URL_SAFE, 40), chars(URL_SAFE, 30));
    add("curl -H 'Authorization: Bearer {}' https://api.example.com/me", bearer.clone());
    add("Authorization: Bearer {}", chars(LETTERS, 32));
    add("ヘッダーは Authorization: Bearer {} です", bearer);
    add("\"Authorization\": \"Basic {}\"", format!("{}==", chars(LETTERS, 26)));
    add("try it with Bearer {}", chars(LETTERS, 40));
    add("https://api.example.com/v1/me?access_token={}", chars(LETTERS, 32));
    add("https://api.example.com/feed?user=3&api_key={}&page=2 を開いてください", chars(HEX, 32));
    add("https://maps.example.com/tiles?apikey={}", chars(LETTERS, 24));
    add(
        "this works: https://files.example.com/a.pdf?sv=2024-01-01&sig={}",
        format!("{}%3D", chars(LETTERS, 43)),
    );
    add("https://example.com/reset?token={} が届きました", chars(URL_SAFE, 43));
    add("http://db.example.com/login?user=x&password={}", "kawasemi99".to_owned());
    add("google says ya29 is expired: {}", format!("ya29.{}", chars(URL_SAFE, 120)));
    add("クライアントシークレットは{}", format!("{}-{}", "GOCSPX", chars(URL_SAFE, 28)));
    add("refresh token {} still works", format!("1//0{}", chars(URL_SAFE, 60)));
    add("maps key: {}", format!("AIza{}", chars(LETTERS, 35)));
    let telegram = |n: &str| format!("{n}:AA{}", chars(URL_SAFE, 33));
    add("the Telegram bot is {}", telegram("7281940365"));
    add("テレグラムのボット: {}", telegram("6190283745"));
    add("https://api.telegram.org/bot{}/getMe", telegram("5544332211"));
    let discord = format!("M{}.{}.{}", chars(LETTERS, 25), "GkXw2p", chars(URL_SAFE, 38));
    add("discord bot token: {}", discord.clone());
    add("ボットのトークンは {} です", discord);
    let webhook = "https://discord.com/api/webhooks/1122334455667788990/";
    add(&format!("post it to {webhook}{{}}"), chars(URL_SAFE, 68));
    add(&format!("{webhook}{{}} に投げて"), chars(URL_SAFE, 68));
    add("groq: {}", format!("gsk_{}", chars(LETTERS, 52)));
    add("Groqの鍵、{} を使って", format!("gsk_{}", chars(LETTERS, 52)));
    add("OPENROUTER_API_KEY={}", format!("sk-or-v1-{}", chars(HEX, 64)));
    add("openrouterは{}です", format!("sk-or-v1-{}", chars(HEX, 64)));
    add("grok key {} (mine)", format!("xai-{}", chars(LETTERS, 80)));
    add("xAIのキー：{}", format!("xai-{}", chars(LETTERS, 80)));
    add("docker login -u kim -p {}", format!("dckr_pat_{}", chars(LETTERS, 27)));
    add("Dockerは {} でログインできます", format!("dckr_oat_{}", chars(LETTERS, 32)));
    add("supabase: {}", format!("sbp_{}", chars(HEX, 40)));
    add("SUPABASE_SECRET_KEY={}", format!("sb_secret_{}", chars(LETTERS, 31)));
    add("Supabaseのキーは「{}」", format!("sb_secret_{}", chars(LETTERS, 31)));
    let otp = "otpauth://totp/Example:kim@example.com?";
    add(&format!("scan this or type {otp}secret={{}}&issuer=Example"), chars(BASE32, 32));
    add(&format!("二段階認証: {otp}issuer=Example&secret={{}}"), chars(BASE32, 16));
    add("transfer it to {} please", "GB82 WEST 1234 5698 7654 32".to_owned());
    add("IBAN: {}", "DE89370400440532013000".to_owned());
    add("振込先は{}です", "NL91ABNA0417164300".to_owned());
    add("Kontonummer {} und dann Bescheid sagen", "FR14 2004 1010 0505 0001 3M02 606".to_owned());
    add("口座：{}（ドイツ）", "DE75512108001245126199".to_owned());
    for phrase in PHRASES {
        add("my seed phrase is: {}", phrase.to_owned());
        add("リカバリーフレーズ：{} です", phrase.to_owned());
    }
    add("write these down: {}", PHRASES[1].replace(' ', "\n"));
    found.push(("pin: {}".to_owned(), chars(DIGITS, 4)));
    found
}

/// Texts in which there is no secret, half of them Japanese.
const HARMLESS: [&str; 88] = [
    "[2026-03-02 14:03] apw: indeed\n[2026-03-02 14:04] apw: marvellous",
    "担当の npw: indeed と言っていました\nnpw: marvellous",
    "I forgot my password again",
    "the password is required",
    "Password: ********",
    "password: <your password>",
    "password is stored as argon2id",
    "the password must be at least 12 characters",
    "passwords are hashed with sha256, not md5",
    "password reset mails arrive late",
    "Is the password case-sensitive?",
    "set the password to something long",
    "password for the wiki is in 1Password",
    "pass: the salt, please",
    "we pass: 12 of 14 tests",
    "pw is short for password",
    "the password is $DB_PASSWORD",
    "password: \"required\"",
    "PIN the message, please",
    "pin: see the channel's topic",
    "the code is in main.rs",
    "status code: 404",
    "error code: 1045",
    "door code changes on 2026-04-01",
    "see https://example.com/search?q=token&key=value",
    "https://example.com/watch?v=dQw4w9WgXcQ&t=42s",
    "https://docs.example.com/auth?access_token=<TOKEN>",
    "Authorization: Bearer <token>",
    "send Authorization: Bearer $TOKEN",
    "the Bearer scheme of RFC 6750",
    "bearer of good news here",
    "ring me on 0151 234 5678 tomorrow",
    "order GB82 was shipped on Monday, 12 pieces",
    "flight NL91 lands at 14:30 in terminal 3",
    "You should have seen that game when our team came back from being down with four minutes left today",
    "commit 9f2c1e7ab3d4 fixes the build",
    "we'll keep the old key for another week",
    "password rotation every 90 days",
    "the test passes in 12ms",
    "cd $(pwd)/src1",
    "connect pin 4821 to ground",
    "password manager: Bitwarden",
    "what can I pass to \"coupon\"?",
    "https://books.example.com/books?id=5DAAA&pg=PA210&sig=ACfU3U1a3cmytF_FL_xTLjL9bR5vVTHZPg",
    "パスワードを忘れました",
    "パスワードは大文字と小文字を区別します",
    "パスワードは8文字以上にしてください",
    "パスワードは2024年に変更しました",
    "パスワード: 必須",
    "パスワードの再設定メールが届きません",
    "パスワードは金庫に入っています",
    "パスワード管理は1Passwordを使っています",
    "パスワードはsha256で保存されます",
    "パスワードを変更してください",
    "パスワードは毎月1日に変わります",
    "パスは /usr/local/bin です",
    "パス: C:\\Users\\kim",
    "パスを通したら main.rs が動きました",
    "暗証番号は4桁です",
    "暗証番号を忘れた人は総務へ",
    "PINは必要ありません",
    "確認コードが届きません",
    "エラーコードは404です",
    "コードは main.rs にあります",
    "word word word word word word word word word word word word word word word word word word word word word",
    // What a team agrees on is to be remembered.
    "合言葉は kaki2Persimmon にします",
    "合言葉は何にしますか",
    "合言葉を決めましょう",
    "トークンは1時間で切れます",
    "ベアラートークンの仕組みを調べています",
    "Authorization ヘッダーを付けてください",
    "https://example.com/?token=xxxx を開くと404になります",
    "二段階認証を設定してください",
    "電話は03-1234-5678です",
    "会議は2026-03-02の10:30からです",
    "口座番号はあとで送ります",
    "振込先はGB支店です",
    "シードフレーズは紙に書いておきましょう",
    "リカバリーフレーズは12語か24語です",
    "鍵はポストに入れておきます",
    "バージョンは v1.2.3 です",
    "パスワードは90日ごとに変えます",
    "暗証番号は3回間違えるとロックされます",
    "相対パスはsrc/main2.rsです",
    "このパスが `PATH` に入っていません",
    "パスワード認証はOAuth2に移行します",
    "パス1つで十分です",
    "パスポート番号は必要です",
];

#[test]
fn what_people_write_is_masked() {
    let secrets = secrets();
    assert!(secrets.len() >= 81, "{}", secrets.len());
    let mut missed = Vec::new();
    for (said, secret) in &secrets {
        let text = said.replace("{}", secret);
        let masked = with_secrets_masked(&text);
        // A part of it that is left, of a phrase a few words, would still be most of the secret.
        let half: String = secret.chars().take(secret.chars().count() / 2).collect();
        if masked == text || masked.contains(secret.as_str()) || (secret.len() > 16 && masked.contains(&half))
        {
            missed.push(format!("{said}: {masked}"));
        } else {
            assert!(!kinds_in_text(&text).is_empty());
        }
    }
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), secrets.len(), missed.join("\n"));
}

#[test]
fn what_stands_around_a_secret_stays() {
    for (said, secret) in secrets() {
        let masked = with_secrets_masked(&said.replace("{}", &secret)).into_owned();
        let (before, after) = said.split_once("{}").expect("a place");
        let begins = masked.split_once("[secret: ").map_or("", |(begin, _)| begin);
        let ends = masked.split_once(']').map_or("", |(_, end)| end);
        assert!(before.starts_with(begins) && before.len() - begins.len() <= 2, "{said}: {masked}");
        assert!(after.ends_with(ends) && after.len() - ends.len() <= 2, "{said}: {masked}");
    }
}

#[test]
fn harmless_texts_stay_as_they_are() {
    let is_japanese = |text: &&&str| text.chars().any(|c| ('\u{3041}'..='\u{9fff}').contains(&c));
    assert_eq!(HARMLESS.iter().filter(is_japanese).count() * 2, HARMLESS.len());
    let masked: Vec<String> = HARMLESS
        .iter()
        .filter(|text| with_secrets_masked(text) != **text)
        .map(|text| with_secrets_masked(text).into_owned())
        .collect();
    assert!(masked.is_empty(), "{} of {}:\n{}", masked.len(), HARMLESS.len(), masked.join("\n"));
}
