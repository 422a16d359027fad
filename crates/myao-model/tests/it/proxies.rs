//! Which proxy a server is asked through.

use myao_model::Proxies;

/// The variable that names the proxy of `server` in this environment.
fn through(environment: &[(&str, &str)], server: &str) -> Option<&'static str> {
    let env = |name: &str| {
        environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    };
    Proxies::read(env).of(server).map(|proxy| proxy.variable)
}

#[test]
fn each_scheme_has_its_own() {
    let all = [("https_proxy", "http://a:1"), ("HTTPS_PROXY", "http://b:1"), ("HTTP_PROXY", "c:1")];
    assert_eq!(through(&all, "https://api.example.com/v1"), Some("https_proxy"), "small letters first");
    assert_eq!(through(&all, "http://api.example.com/v1"), Some("HTTP_PROXY"));
    assert_eq!(through(&[("ALL_PROXY", "http://a:1")], "https://api.example.com"), Some("ALL_PROXY"));
    assert_eq!(through(&[("https_proxy", " ")], "https://api.example.com"), None);
    assert_eq!(through(&all, "no address"), None);
}

#[test]
fn this_machine_is_asked_directly() {
    for host in ["localhost", "LOCALHOST", "models.localhost", "127.0.0.1", "127.9.9.9", "[::1]", "0.0.0.0"] {
        assert_eq!(
            through(&[("ALL_PROXY", "http://a:1")], &format!("http://{host}:4000/v1")),
            None,
            "{host}"
        );
    }
    assert_eq!(through(&[("ALL_PROXY", "http://a:1")], "http://mylocalhost/"), Some("ALL_PROXY"));
}

#[test]
fn what_is_excepted_is_asked_directly() {
    for (except, server, is_direct) in [
        ("*", "http://anything.example", true),
        ("*", "http://10.0.0.1", true),
        ("example.com", "https://example.com/v1", true),
        ("example.com", "https://api.example.com", true),
        ("example.com", "https://notexample.com", false),
        (".example.com", "https://example.com", true),
        ("EXAMPLE.com.", "https://api.example.COM", true),
        ("a.example, ,b.example", "https://b.example", true),
        ("a.example b.example", "https://b.example", true),
        ("example.com:443", "https://example.com", true),
        ("example.com:8443", "https://example.com", false),
        ("example.com:8443", "https://api.example.com:8443/v1", true),
        ("10.0.0.0/8", "http://10.200.3.4:8000", true),
        ("10.0.0.0/8", "http://11.0.0.1", false),
        ("10.1.2.3", "http://10.1.2.3:8000", true),
        ("10.1.2.3:8000", "http://10.1.2.3:8000", true),
        ("10.1.2.3:8001", "http://10.1.2.3:8000", false),
        ("0.0.0.0/0", "http://8.8.8.8", true),
        ("10.0.0.0/33", "http://10.0.0.1", false),
        ("fd00::/8", "http://[fd12::1]:8000", true),
        ("fd00::/8", "http://[fe80::1]", false),
        ("fd12::1", "http://[fd12::1]:8000", true),
        ("[fd12::1]:8000", "http://[fd12::1]:8000", true),
        ("[fd12::1]:8001", "http://[fd12::1]:8000", false),
        ("10.0.0.0/8", "http://ten.example", false),
        (".", "http://example.com", false),
        ("", "http://example.com", false),
    ] {
        let found = through(&[("ALL_PROXY", "http://a:1"), ("NO_PROXY", except)], server);
        assert_eq!(found.is_none(), is_direct, "{except:?} {server}");
    }
}

#[test]
fn no_password_is_shown() {
    let env = |name: &str| (name == "ALL_PROXY").then(|| "http://mika:secret@proxy:3128".to_owned());
    assert!(!format!("{:?}", Proxies::read(env)).contains("secret"));
}
