//! `myao health`, asked beside a run, after its end, and where something else answers.

use std::{io::Read as _, net::TcpListener, time::Instant};

use myao_testkit::{FakeSlack, reserve_port, slack::ChannelSpec};
use serde_json::json;

use super::{World, config, look_again};
use crate::binary::{Home, Ran};

/// A machine that is busy with other tests may take longer to answer than a probe usually waits.
const PATIENT: [&str; 2] = ["--within", "60"];

fn asked(home: &Home, more: &[&str]) -> Ran {
    tokio::task::block_in_place(|| home.run(&[&["health"], &PATIENT[..], more].concat()))
}

/// A configuration whose health page has this port.
fn home_with_port(port: u16) -> Home {
    Home::with_config(&format!("memory: {{database_path: data/memory.db}}\nhealth_check: {{port: {port}}}\n"))
}

/// What a run that is connected and has heard all says.
const READY: &str = "ready: connected to Slack, 0 deliveries to be stored, 0 channels with a gap\n";

/// Asks until the run has found out that it is connected, and has looked at what was said before.
async fn until_ready(home: &Home) {
    let began = Instant::now();
    loop {
        let told = asked(home, &[]);
        if told.code == Some(0) && told.out == READY {
            return;
        }
        assert!(began.elapsed() < super::LONG, "{told:?}");
        look_again().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_ready_until_it_is_killed() {
    let world = World::new().await;
    let mut running = world.start().await;
    until_ready(&world.home).await;
    let alive = asked(&world.home, &["--live"]);
    assert!(alive.code == Some(0) && alive.out.starts_with("alive: "), "{alive:?}");
    let told = asked(&world.home, &["--json"]).json();
    assert_eq!((&told["healthy"], &told["said"]["connected"]), (&json!(true), &json!(true)), "{told}");
    running.kill();
    let dead = asked(&world.home, &["--live"]);
    assert_eq!(dead.code, Some(1), "{dead:?}");
    assert!(dead.out.contains("nobody listens there; the database knows process "), "{dead:?}");
}

/// It lives, but nobody would be answered: the two questions are answered otherwise.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_cannot_reach_slack_lives_and_is_not_ready() {
    let slack = FakeSlack::setup().start().await;
    slack.channel(ChannelSpec::public("general"));
    let nobody = reserve_port();
    let yaml = config(&slack, slack.bot_token())
        .replace(&slack.api_base_url(), &format!("http://127.0.0.1:{nobody}/api/"));
    let home = Home::with_config(&yaml);
    let _running = super::Running(home.command(&["run"]).spawn().expect("it starts"));
    let began = Instant::now();
    while asked(&home, &["--live"]).code != Some(0) {
        assert!(began.elapsed() < super::LONG);
        look_again().await;
    }
    let ready = asked(&home, &[]);
    assert_eq!(ready.code, Some(1), "{ready:?}");
    assert!(ready.out.starts_with("not ready: not connected to Slack"), "{ready:?}");
}

#[test]
fn without_a_run_it_says_so_and_makes_no_database() {
    let home = home_with_port(reserve_port());
    let ran = home.run(&["health"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("no `myao run` answers on 127.0.0.1:"), "{ran:?}");
    assert!(ran.out.contains("nobody listens there; nor can the database be asked: "), "{ran:?}");
    assert!(!home.path("data").exists());
}

/// Something took the port: one that is silent is given up in time, one that speaks otherwise is told from a run.
#[test]
fn what_answers_otherwise_is_no_run() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let home = home_with_port(silent.local_addr().expect("bound").port());
    let began = Instant::now();
    let ran = home.run(&["health", "--within", "1"]);
    assert!(ran.code == Some(1) && ran.out.contains("no answer within 1 s"), "{ran:?}");
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());

    let other = TcpListener::bind("127.0.0.1:0").expect("a port");
    let home = home_with_port(other.local_addr().expect("bound").port());
    let speaking = std::thread::spawn(move || {
        let (mut stream, _) = other.accept().expect("asked");
        drop(stream.read(&mut [0; 1024]));
        let page = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi";
        std::io::Write::write_all(&mut stream, page.as_bytes()).expect("answered");
    });
    let ran = home.run(&[&["health"], &PATIENT[..]].concat());
    speaking.join().expect("it spoke");
    assert!(ran.code == Some(1) && ran.out.contains("no health page of myao"), "{ran:?}");
}
