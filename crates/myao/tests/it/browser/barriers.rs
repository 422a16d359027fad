//! Every kind of page can be read by everybody: axe finds nothing serious in either colours or language, nothing sticks
//! out on a phone, and each page has one heading and a title.

use super::{
    Demo,
    story::ask,
    tab::{DESK, Eyes, PHONE},
};

/// A page of each kind; `{}` is a channel.
const PAGES: [&str; 27] = [
    "/talk/at/{}",
    "/talk/new",
    "/talk/channels",
    "/",
    "/channels",
    "/cost",
    "/recall",
    "/recall?q=count",
    "/recall?q=qqqqqq",
    "/people",
    "/people/U0BEALIN05",
    "/decisions",
    "/decisions/replay",
    "/memos",
    "/forget",
    "/forget?text=count",
    "/workspace",
    "/workspace/changes",
    "/workspace/why?line=1",
    "/channel/{}",
    "/channel/{}?as=C0GENERAL1",
    "/channel/{}/chapter/2",
    "/channel/{}/changes",
    "/channel/{}/why?line=1",
    "/channel/{}/threads",
    "/channel/{}/prompt",
    "/channel/{}/rebuild/1",
];
/// Others, which no list holds.
const OTHERS: [&str; 3] = ["/looks", "/channel/{}/rebuild", "/no/such/page"];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_keeps_anybody_out() {
    let demo = Demo::start(&["--lang", "en"]).await;
    let Some(tab) = demo.tab(DESK).await else { return };
    tab.go("/talk").await;
    ask(&tab, "@myao when is the Spring Count now?", "April").await;
    tab.go("/memos").await;
    tab.click("main details > summary").await;
    tab.fill("#memo-name", "keys").await;
    tab.fill("#memo-content", "The keys of the shed hang behind the door.").await;
    tab.click("main form[method='post'] button.go").await;
    tab.until_says("The keys of the shed").await;
    tab.until("location.pathname.startsWith('/memos/')").await;
    let memo = tab.eval("location.pathname").await;
    let memo = memo.as_str().expect("a path").to_owned();
    let mut found = Vec::new();
    for path in PAGES.iter().chain(&OTHERS).map(|path| path.replace("{}", "C0SPRINGC4")).chain([memo]) {
        tab.look(DESK).await;
        tab.go(&path).await;
        let told = tab.barriers().await;
        found.extend(told.into_iter().map(|what| format!("{path}: {what}")));
        tab.look(Eyes { is_dark: true, ..DESK }).await;
        let told = tab.contrasts().await;
        found.extend(told.into_iter().map(|what| format!("{path}, dark: {what}")));
        tab.look(PHONE).await;
        let overhang = tab.overhang().await;
        if overhang > 0 {
            found.push(format!(
                "{path}: {overhang} pixels stick out on a phone: {}",
                tab.sticking_out().await
            ));
        }
        if tab.eval("document.querySelectorAll('h1').length === 1 && document.title.endsWith('myao')").await
            != true
        {
            found.push(format!("{path}: one heading and a title"));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    let told = tab.complaints();
    assert!(told.iter().all(|one| one.contains("404") && one.contains("/no/such/page")), "{told:?}");
    tab.done().await;
}
