//! Models and the proxies of the environment, with the real program.

use myao_testkit::llm::{FakeProvider, KEY, Reply};

use crate::binary::{Home, Ran};

/// A home whose memories are written by a model at this address.
fn home(base: &str) -> Home {
    Home::with_config(&format!(
        "memory: {{database_path: m.db}}\nagents: {{memory: {{model_id: openai/fake-1, client_args: \
         {{api_key: {KEY}, api_base: '{base}', timeout: 20}}}}}}\n"
    ))
}

/// What `check` says with these variables, and no other proxies.
fn check(home: &Home, variables: &[(&str, &str)]) -> Ran {
    let mut command = home.command(&["check", "--quick"]);
    for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    command.envs(variables.iter().copied());
    let output = tokio::task::block_in_place(|| command.output()).expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Nobody listens there.
const DEAD: &str = "http://127.0.0.1:9";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_on_this_machine_is_asked_without_a_proxy() {
    for host in ["127.0.0.1", "localhost"] {
        let provider = FakeProvider::answering([Reply::text("ready")]).await;
        let base = format!("{}/v1", provider.url().replace("127.0.0.1", host));
        let variables =
            [("HTTP_PROXY", DEAD), ("http_proxy", DEAD), ("ALL_PROXY", DEAD), ("NO_PROXY", "other.example")];
        let ran = check(&home(&base), &variables);
        assert_eq!((ran.code, provider.calls().len()), (Some(0), 1), "{ran:?}");
    }
}

/// The fake provider is the proxy here: what it is asked went through it. Nobody else is at these addresses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_proxy_is_read_as_curl_does() {
    for (host, direct, goes_through) in [
        ("models.invalid:8080", "", true),
        ("models.invalid:8080", "other.invalid, els.invalid", true),
        ("models.invalid:8080", "models.invalid:81", true),
        ("models.invalid:8080", "10.0.0.0/8", true),
        ("models.invalid:8080", "*", false),
        ("models.invalid:8080", "other.example,models.invalid", false),
        ("models.invalid:8080", "other.example .INVALID", false),
        ("eu.models.invalid", "models.invalid.", false),
        ("models.invalid:8080", "models.invalid:8080", false),
        ("models.invalid", "models.invalid:80", false),
        ("10.1.2.3:8080", "10.1.2.4, 10.2.0.0/16, *.3", true),
    ] {
        let provider = FakeProvider::answering([Reply::text("ready")]).await;
        let home = home(&format!("http://{host}/v1"));
        let ran = check(&home, &[("http_proxy", &provider.url()), ("no_proxy", direct)]);
        let calls = usize::from(goes_through);
        assert_eq!(
            (ran.code, provider.calls().len()),
            (Some(i32::from(!goes_through)), calls),
            "{host} {direct}: {ran:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_that_does_not_answer_is_named_by_its_variable() {
    for (base, variables, named) in [
        ("https://models.invalid/v1", [("https_proxy", DEAD), ("HTTP_PROXY", DEAD)], "https_proxy"),
        ("http://models.invalid/v1", [("https_proxy", DEAD), ("HTTP_PROXY", DEAD)], "HTTP_PROXY"),
        ("https://models.invalid/v1", [("ALL_PROXY", DEAD), ("HTTP_PROXY", DEAD)], "ALL_PROXY"),
    ] {
        let ran = check(&home(base), &variables);
        ran.ends(1, "1 thing is wrong");
        assert!(ran.out.contains(named), "{ran:?}");
        let others = ["https_proxy", "HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"]
            .into_iter()
            .filter(|name| *name != named);
        for other in others {
            assert!(!ran.out.contains(other), "{other}: {ran:?}");
        }
    }
    let direct = check(&home("http://127.0.0.1:9/v1"), &[("HTTP_PROXY", DEAD)]);
    assert!(!direct.out.contains("PROXY"), "{direct:?}");
}
