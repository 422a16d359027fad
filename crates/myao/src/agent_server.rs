//! The memory for other agents, put together: what `myao mcp` and `myao run` serve.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{Router, http::Extensions};
use myao_companion::live::RepliesAtWork;
use myao_mcp::{
    MemoryServer, MemoryServerParts,
    transport::http::{HttpLimits, HttpSettings, router},
};
use myao_web::server::Peer;
use tokio_util::sync::CancellationToken;

use crate::{agent_secrets::identify_by, app::App, failure::Failure};

/// What agents ask, over whichever transport. Their searches let `replies` pass.
pub(crate) fn memory_server(app: &App, replies: RepliesAtWork) -> Result<MemoryServer, Failure> {
    let asks_meaning = app.config.embeddings.is_some();
    Ok(MemoryServer::new(MemoryServerParts {
        config: app.config.clone(),
        store: app.store.clone(),
        clock: Arc::clone(&app.clock),
        asker: if asks_meaning { Some(app.asker()?) } else { None },
        link: myao_slack::permalink_of_message,
        replies,
    }))
}

/// The memory for agents over HTTP, beside the pages; `None` where `mcp.enabled` is not set. `stop` ends its streams.
pub(crate) fn route_beside_pages(
    app: &App,
    listen: SocketAddr,
    replies: RepliesAtWork,
    stop: CancellationToken,
) -> Result<Option<Router>, Failure> {
    let mcp = &app.config.mcp;
    if !mcp.enabled {
        return Ok(None);
    }
    let hosts = app.config.web.hosts.iter().chain(&mcp.allowed_hosts).cloned().collect();
    let settings = HttpSettings {
        path: mcp.path.clone(),
        listen,
        hosts,
        without_token: mcp.without_token,
        peer: address_of_peer,
        clock: Arc::clone(&app.clock),
        stop,
        limits: HttpLimits::default(),
    };
    let server = memory_server(app, replies)?;
    Ok(Some(router(settings, move || server.for_session(), identify_by(&app.store, app))))
}

fn address_of_peer(extensions: &Extensions) -> Option<IpAddr> {
    extensions.get::<Peer>().map(|peer| peer.0.ip())
}
