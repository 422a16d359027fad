//! A server with the tools, resources and prompts that the protocol's conformance suite asks for, on the transports of
//! this crate: what is tested with it is those, not memories.
//!
//! `cargo run -p myao-mcp --example fixture_server -- http 127.0.0.1:0 [SECRET]` tells its address on standard error, and
//! `… -- stdio` serves standard input. `scripts/mcp-clients` runs both.

#![expect(clippy::print_stderr, reason = "it tells its address")]

mod changes;
mod fixture;
mod inputs;
mod tools;

use std::{error::Error, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, http::Extensions, serve::IncomingStream};
use jiff::Timestamp;
use myao_core::{
    chat::AgentToken,
    ports::{BoxFuture, Clock},
};
use myao_mcp::transport::{
    http::{HttpLimits, HttpSettings, router},
    identify_with,
    stdio::{StdioAgent, StdioSettings, serve_stdio},
};
use tokio_util::sync::CancellationToken;

use crate::fixture::Fixture;

/// The machine's clock.
struct Machine;

impl Clock for Machine {
    #[expect(clippy::disallowed_methods, reason = "this is a clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep_until(&self, instant: Timestamp) -> BoxFuture<'static, ()> {
        let wait = Duration::try_from(instant.duration_since(self.now())).unwrap_or_default();
        Box::pin(tokio::time::sleep(wait))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("stdio") => {
            let agent = StdioAgent::Fixed(AgentToken::without_token());
            let settings = StdioSettings::new(agent, Arc::new(Machine), CancellationToken::new());
            serve_stdio(settings, Fixture::default()).await?;
        }
        Some("http") => {
            let address = arguments.next().ok_or("an address is missing")?.parse()?;
            serve_http(address, arguments.next()).await?;
        }
        _ => return Err("usage: fixture_server stdio | http ADDRESS [SECRET]".into()),
    }
    Ok(())
}

async fn serve_http(address: SocketAddr, secret: Option<String>) -> Result<(), Box<dyn Error>> {
    let listener = tokio::net::TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    eprintln!("http://{address}/mcp");
    let settings = HttpSettings {
        path: "/mcp".to_owned(),
        listen: address,
        hosts: Vec::new(),
        without_token: secret.is_none(),
        peer: |extensions: &Extensions| {
            let peer = extensions.get::<axum::extract::ConnectInfo<Peer>>()?;
            Some(peer.0.0.ip())
        },
        clock: Arc::new(Machine),
        stop: CancellationToken::new(),
        limits: HttpLimits { at_work: 8, ..HttpLimits::default() },
    };
    let identify = identify_with(move |shown| {
        let is_right = secret.as_deref() == Some(shown.as_str());
        let token = AgentToken { name: "fixture".to_owned(), ..AgentToken::without_token() };
        async move { Ok(is_right.then_some(token)) }
    });
    let fixture = Fixture::default();
    let routes: Router = router(settings, move || fixture.for_session(), identify);
    let service = routes.into_make_service_with_connect_info::<Peer>();
    axum::serve(listener, service).await?;
    Ok(())
}

/// Where a connection comes from.
#[derive(Clone, Copy)]
struct Peer(SocketAddr);

impl axum::extract::connect_info::Connected<IncomingStream<'_, tokio::net::TcpListener>> for Peer {
    fn connect_info(stream: IncomingStream<'_, tokio::net::TcpListener>) -> Self {
        Self(*stream.remote_addr())
    }
}
