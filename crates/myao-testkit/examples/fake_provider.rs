//! A model provider for measurements: `cargo run -p myao-testkit --example fake_provider -- --port 8900
//! --latency-ms 500`, then `api_base: http://127.0.0.1:8900/v1` with `model_id: openai/fake`. Ctrl-C ends it
//! and tells what came.

use std::{process::ExitCode, time::Duration};

use myao_testkit::llm::FakeProvider;

const USAGE: &str = "usage: fake_provider [--port N] [--latency-ms N]";

#[tokio::main]
#[expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]
async fn main() -> ExitCode {
    let Some((port, latency)) = arguments(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let provider = FakeProvider::echoing(port, latency).await;
    println!("{} answers after {} ms", provider.url(), latency.as_millis());
    if let Err(e) = tokio::signal::ctrl_c().await {
        eprintln!("Ctrl-C cannot be waited for: {e}");
    }
    println!("{} calls, {} at once at most", provider.calls().len(), provider.most_concurrent());
    for complaint in provider.take_complaints() {
        println!("refused: {complaint}");
    }
    ExitCode::SUCCESS
}

/// The port and the latency; none when something else is given.
fn arguments(mut arguments: impl Iterator<Item = String>) -> Option<(u16, Duration)> {
    let mut port = 0;
    let mut latency = Duration::ZERO;
    while let Some(name) = arguments.next() {
        let value = arguments.next()?;
        match name.as_str() {
            "--port" => port = value.parse().ok()?,
            "--latency-ms" => latency = Duration::from_millis(value.parse().ok()?),
            _ => return None,
        }
    }
    Some((port, latency))
}
