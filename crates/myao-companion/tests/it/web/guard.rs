//! Nothing but the public internet is reached: not by a literal, not by a name, not by a redirect.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use proptest::prelude::*;
use serde_json::json;

use super::{
    Bench, PRIVATE, PUBLIC,
    site::{Door, Reply},
};

const CLOSED: &str = "the address is not on the public internet, and nothing else is fetched";

#[tokio::test]
async fn private_addresses_are_refused_however_they_are_written() {
    let bench = Bench::new().await;
    let port = bench.site.port();
    let door = Door::at(PRIVATE, port).await;
    for host in [
        "127.0.0.2",
        "2130706434",
        "0x7f000002",
        "0177.0.0.2",
        "0x7f.0x0.0x0.0x2",
        "127.2",
        "127.0.2",
        "[::ffff:127.0.0.2]",
        "[::ffff:7f00:2]",
        "[0:0:0:0:0:ffff:127.0.0.2]",
        "１２７.0.0.2",
        "127。0。0。2",
        "[::1]",
        "[::]",
        "0",
        "10.0.0.1",
        "169.254.169.254",
    ] {
        let answer = bench.ask(&format!("http://{host}:{port}/"), json!({})).await;
        assert_eq!(answer, Err(CLOSED.to_owned()), "{host}");
    }
    assert_eq!(door.knocks(), 0);
}

#[tokio::test]
async fn names_of_private_addresses_are_refused() {
    let bench = Bench::new().await;
    let door = Door::at(PRIVATE, bench.site.port()).await;
    let metadata = IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254));
    bench.names.set("inside.example", &[&[PRIVATE]]);
    bench.names.set("inside.example.", &[&[PRIVATE]]);
    bench.names.set("metadata.example", &[&[metadata, IpAddr::V6(Ipv6Addr::LOCALHOST)]]);
    for name in ["inside.example", "inside.example.", "INSIDE.example", "metadata.example"] {
        let answer = bench.ask(&bench.site.url_at(name, "/"), json!({})).await;
        assert_eq!(answer, Err(CLOSED.to_owned()), "{name}");
    }
    let unknown = bench.ask("http://nobody.example/", json!({})).await;
    assert_eq!(unknown, Err("there is no such site: its name does not resolve".to_owned()));
    assert_eq!(door.knocks(), 0);
}

#[tokio::test]
async fn of_a_name_s_addresses_only_public_ones_are_tried() {
    let bench = Bench::new().await;
    let door = Door::at(PRIVATE, bench.site.port()).await;
    bench.site.put("/", Reply::text("hello"));
    bench.names.set("mixed.example", &[&[PRIVATE, PUBLIC, PRIVATE]]);
    let answer = bench.ask(&bench.site.url_at("mixed.example", "/"), json!({})).await.unwrap();
    assert!(answer.contains("> hello"), "{answer}");
    assert_eq!(door.knocks(), 0);
}

#[tokio::test]
async fn a_name_that_turns_private_gains_nothing() {
    let bench = Bench::new().await;
    let door = Door::at(PRIVATE, bench.site.port()).await;
    let headers = vec![("location", "/second".to_owned()), ("connection", "close".to_owned())];
    bench.site.put("/first", Reply::Whole { status: 302, headers, body: Vec::new() });
    bench.site.put("/second", Reply::text("secret"));
    bench.names.set("rebind.example", &[&[PUBLIC], &[PRIVATE]]);
    let answer = bench.ask(&bench.site.url_at("rebind.example", "/first"), json!({})).await;
    assert_eq!(answer, Err(CLOSED.to_owned()));
    assert_eq!((door.knocks(), bench.site.asked().len()), (0, 1));
}

#[tokio::test]
async fn redirects_are_checked_like_addresses() {
    let bench = Bench::new().await;
    let port = bench.site.port();
    let door = Door::at(PRIVATE, port).await;
    bench.names.set("inside.example", &[&[PRIVATE]]);
    for (location, said) in [
        ("http://169.254.169.254/latest/meta-data/".to_owned(), CLOSED),
        (format!("http://127.0.0.2:{port}/"), CLOSED),
        (format!("//0x7f000002:{port}/"), CLOSED),
        (format!("http://inside.example:{port}/"), CLOSED),
        (format!("http://[::ffff:127.0.0.2]:{port}/"), CLOSED),
        ("file:///etc/passwd".to_owned(), "only http and https are fetched, not `file`"),
        ("gopher://127.0.0.1/".to_owned(), "only http and https are fetched, not `gopher`"),
        ("data:text/html,hello".to_owned(), "only http and https are fetched, not `data`"),
        (
            "http://user:word@127.0.0.1/".to_owned(),
            "addresses with a user name or password in them are not fetched",
        ),
        ("http://127.0.0.1:25/".to_owned(), "port 25 is not fetched from"),
        ("http://".to_owned(), "the site redirects to nowhere"),
    ] {
        bench.site.put("/", Reply::to(&location));
        assert_eq!(bench.fetch("/").await, Err(said.to_owned()), "{location}");
    }
    assert_eq!(door.knocks(), 0);
}

#[tokio::test]
async fn five_redirects_are_followed_and_a_loop_ends() {
    let bench = Bench::new().await;
    for hop in 1..=5 {
        bench.site.put(&format!("/{hop}"), Reply::to(&format!("/{}", hop + 1)));
    }
    bench.site.put("/6", Reply::text("at last"));
    let answer = bench.fetch("/1").await.unwrap();
    assert!(
        answer.contains(&format!("URL: {}\n", bench.site.url("/6"))) && answer.contains("> at last"),
        "{answer}"
    );
    bench.site.put("/loop", Reply::to("/loop#again"));
    assert_eq!(bench.fetch("/loop").await, Err("the site redirects more than 5 times".to_owned()));
    assert_eq!(bench.site.asked().len(), 12);
}

#[tokio::test]
async fn ports_of_other_services_names_and_schemes_are_refused() {
    let bench = Bench::new().await;
    for (url, said) in [
        ("http://127.0.0.1:22/", "port 22 is not fetched from"),
        ("https://127.0.0.1:993/", "port 993 is not fetched from"),
        ("http://a:b@127.0.0.1/", "addresses with a user name or password in them are not fetched"),
        ("http://127.0.0.2@127.0.0.1/", "addresses with a user name or password in them are not fetched"),
        ("ftp://127.0.0.1/", "only http and https are fetched, not `ftp`"),
        ("file:///etc/passwd", "only http and https are fetched, not `file`"),
        ("example.jp", "this is not a web address; give it whole, beginning with https:// or http://"),
        ("", "this is not a web address; give it whole, beginning with https:// or http://"),
    ] {
        assert_eq!(bench.ask(url, json!({})).await, Err(said.to_owned()), "{url}");
    }
}

fn loopback() -> impl Strategy<Value = IpAddr> {
    prop_oneof![
        3 => (1..5_u8).prop_map(|last| IpAddr::V4(Ipv4Addr::new(127, 0, 0, last))),
        1 => (1..5_u8).prop_map(|last| IpAddr::V6(Ipv4Addr::new(127, 0, 0, last).to_ipv6_mapped())),
        1 => Just(IpAddr::V6(Ipv6Addr::LOCALHOST)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Whatever a resolver says, from one moment to the next, nobody but the public is connected to.
    #[test]
    fn no_resolver_leads_into_a_private_network(
        answers in prop::collection::vec(prop::collection::vec(loopback(), 0..4), 1..4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (reached, knocks) = runtime.block_on(async {
            let bench = Bench::new().await;
            let port = bench.site.port();
            let mut doors = Vec::new();
            for last in 2..5 {
                doors.push(Door::at(IpAddr::V4(Ipv4Addr::new(127, 0, 0, last)), port).await);
            }
            bench.site.put("/", Reply::to("http://again.example"));
            let lists: Vec<&[IpAddr]> = answers.iter().map(Vec::as_slice).collect();
            bench.names.set("any.example", &lists);
            for _ in &answers {
                drop(bench.ask(&bench.site.url_at("any.example", "/"), json!({})).await);
            }
            (bench.site.asked().len(), doors.iter().map(Door::knocks).sum::<usize>())
        });
        prop_assert_eq!(knocks, 0);
        let public = answers.iter().any(|answer| answer.contains(&PUBLIC));
        prop_assert!(public || reached == 0, "{} requests", reached);
    }
}
