//! The health port of the real program, held open by somebody: descriptors are left for Slack.

use std::{
    fs,
    net::{SocketAddr, TcpStream},
    process::{Command, Stdio},
};

use super::{Running, World};
use crate::binary::MYAO;

/// More connections than the process may have descriptors.
const IDLE: usize = 300;
/// Descriptors, as `ulimit -n` gives them.
const DESCRIPTORS: u32 = 256;

/// The program under a limit of descriptors, once it listens to Slack.
async fn start_limited(world: &World) -> Running {
    let before = world.slack.seen().connected;
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -n {DESCRIPTORS} && exec {MYAO} run")]);
    shell.current_dir(world.home.path("")).env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
    let running = Running(shell.stderr(Stdio::null()).spawn().expect("it starts"));
    world.slack.wait_until(|seen| seen.connected > before).await;
    running
}

fn port_of(world: &World) -> u16 {
    let config = fs::read_to_string(world.home.path("config.yaml")).expect("read");
    let port = config.split("port: ").nth(1).and_then(|rest| rest.split('}').next()).expect("a port");
    port.parse().expect("a number")
}

fn descriptors(running: &Running) -> usize {
    fs::read_dir(format!("/proc/{}/fd", running.0.id())).expect("it runs").count()
}

fn probe(port: u16) -> Result<String, String> {
    use std::io::{Read as _, Write as _};

    let told = |error: std::io::Error| error.to_string();
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let patience = std::time::Duration::from_mins(1);
    let mut stream = TcpStream::connect_timeout(&address, patience).map_err(told)?;
    stream.set_read_timeout(Some(patience)).map_err(told)?;
    stream.write_all(b"GET /live HTTP/1.1\r\nhost: myao\r\nconnection: close\r\n\r\n").map_err(told)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(told)?;
    Ok(answer)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_to_the_health_port_leave_descriptors_for_slack() {
    let world = World::new().await;
    let port = port_of(&world);
    let running = start_limited(&world).await;
    let at_rest = descriptors(&running);
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let idle: Vec<TcpStream> =
        (0..IDLE).map(|_| TcpStream::connect(address).expect("a connection")).collect();
    let answer = tokio::task::block_in_place(|| probe(port));
    let held = descriptors(&running);
    println!("descriptors: {at_rest} at rest, {held} under {IDLE} idle connections");
    assert!(answer.as_ref().is_ok_and(|text| text.starts_with("HTTP/1.1 200")), "{held} held: {answer:?}");
    assert!(held <= at_rest + 40, "{at_rest} descriptors became {held}");
    let before = world.slack.seen().connected;
    world.slack.drop_sockets();
    world.slack.wait_until(|seen| seen.connected > before).await;
    drop(idle);
    assert_eq!(running.stop(), Some(0));
}
