//! `myao web`: serves the pages alone, to be looked at; also prepares the pages that `myao run` and `myao demo` serve.

use std::{net::SocketAddr, sync::Arc};

use axum::Router;
use clap::Args;
use myao_companion::live::RepliesAtWork;
use myao_config::{DEFAULT_LISTEN, TerminalUser, Web, listen_address};
use myao_web::{
    pages_behind_gate,
    room::{Room, router_with_room},
    server::{self, ListenError},
    site::{ChatLinks, Site, SiteParts},
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{Done, Failure, output, stop_signals::StopSignals};
use crate::{agent_server::route_beside_pages, app::App, clock::random_bytes};

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct WebArgs {
    /// Where: an address of this machine, as in 127.0.0.1:8081 or 0.0.0.0; port 0 is any free one [default: web.listen,
    /// else 127.0.0.1:8081]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
}

const AFTER_HELP: &str = "\
What is remembered and from what, what changed, who is spoken of, why it spoke or kept quiet, the exact prompt of a \
place, recall, memos, costs: as pages, each through the owner's eyes or those of a place (View as). They are read-only \
here, and may be served beside `myao run`. Where web.listen is set, `myao run` serves them itself, and things can be \
changed there: memories taken back, edited and rebuilt, memos, forgetting.

On 127.0.0.1 whoever uses this machine can look. Any other address needs web.password (or web.trusted_header, for a \
reverse proxy that knows who is there), or the start is refused. docs/web.md says more.

Examples:
  myao web
  myao web --listen 127.0.0.1:9000
  ssh -L 8081:127.0.0.1:8081 SERVER      # then look at http://127.0.0.1:8081";

/// Serves the pages until a signal comes.
pub(super) async fn run(app: &App, args: &WebArgs) -> Result<Done, Failure> {
    let wrong =
        |text: &String| Failure::usage(format!("--listen {text}: that is no address, as 127.0.0.1:8081 is"));
    // Port 0 is allowed here and means any free port, because the address is printed.
    let parsed =
        |text: &String| listen_address(text).or_else(|| text.parse().ok()).ok_or_else(|| wrong(text));
    let given = args.listen.as_ref().map(parsed).transpose()?;
    let address = given.or(app.config.web.listen).unwrap_or(DEFAULT_LISTEN);
    let served = Pages::prepare(app, address, true).await?;
    output::print_line(&format!("the pages are at {}, read-only; Ctrl-C ends them", served.address()?));
    let stop = CancellationToken::new();
    let mut signals = StopSignals::new()?;
    let serving = tokio::spawn(served.serve(stop.clone()));
    signals.next().await;
    stop.cancel();
    drop(serving.await);
    Ok(Done::All)
}

/// Listens at an address.
pub(super) async fn bind_address(address: SocketAddr) -> Result<TcpListener, Failure> {
    server::bind_address(address).await.map_err(|error: ListenError| Failure::usage(error.to_string()))
}

/// The pages with their address, ready to be served.
pub(super) struct Pages {
    listener: TcpListener,
    site: Arc<Site>,
    /// What other agents ask, at a path of its own.
    agents: Option<Router>,
}

impl Pages {
    /// Binds the address and puts the pages together.
    pub(super) async fn prepare(app: &App, address: SocketAddr, is_read_only: bool) -> Result<Self, Failure> {
        if let Some(why) = app.config.web.access.refusal(address) {
            return Err(Failure::usage(why));
        }
        Self::prepare_on(app, bind_address(address).await?, is_read_only).await
    }

    /// Puts the pages together for a listener whose address is allowed.
    pub(super) async fn prepare_on(
        app: &App,
        listener: TcpListener,
        is_read_only: bool,
    ) -> Result<Self, Failure> {
        let mut config = app.config.clone();
        let bound = listener.local_addr().map_err(Failure::incomplete)?;
        config.web = Web { listen: Some(bound), ..config.web };
        let asks_meaning = config.embeddings.is_some();
        let parts = SiteParts {
            store: app.store.clone(),
            sessions: app.web_sessions().await?,
            clock: Arc::clone(&app.clock),
            templates: Arc::clone(app.templates()),
            asker: if asks_meaning { Some(app.asker()?) } else { None },
            judge: if is_read_only { None } else { Some(app.asker()?) },
            keeper: if is_read_only { None } else { Some(app.keeper()?) },
            links: ChatLinks {
                message: myao_slack::permalink_of_message,
                message_at: myao_slack::message_at_permalink,
            },
            draw: random_bytes,
            owner: TerminalUser::at_the_terminal().name,
            is_read_only,
            config,
        };
        let site = Site::new(parts).map_err(|error| Failure::usage(error.to_string()))?;
        Ok(Self { listener, site, agents: None })
    }

    /// Serves other agents as well, if the configuration says so; their searches let `replies` pass. `stop` ends their
    /// streams.
    pub(super) fn with_agents(
        mut self,
        app: &App,
        replies: RepliesAtWork,
        stop: CancellationToken,
    ) -> Result<Self, Failure> {
        let bound = self.listener.local_addr().map_err(Failure::incomplete)?;
        self.agents = route_beside_pages(app, bound, replies, stop)?;
        if self.agents.is_some() {
            tracing::info!(address = %format!("http://{bound}{}", app.config.mcp.path), "agents are given the memory (MCP)");
        }
        Ok(self)
    }

    /// The address of the pages.
    pub(super) fn address(&self) -> Result<String, Failure> {
        let address = self.listener.local_addr().map_err(Failure::incomplete)?;
        Ok(format!("http://{address}/"))
    }

    /// Serves the pages until `stop` is cancelled.
    pub(super) async fn serve(self, stop: CancellationToken) {
        let clock = Arc::clone(&self.site.clock);
        let site = Arc::clone(&self.site);
        let counting = tokio::spawn(async move { site.count_ahead().await });
        let pages = pages_behind_gate(&self.site);
        // Agents have no cookies and send no forms: they do not pass the gate of the pages.
        let served = match self.agents {
            Some(agents) => agents.fallback_service(pages),
            None => pages,
        };
        server::serve_pages(self.listener, served, clock, stop).await;
        counting.abort();
    }

    /// Serves the pages, and a local workspace beside them.
    pub(super) async fn serve_with(self, room: Room, stop: CancellationToken) {
        let clock = Arc::clone(&self.site.clock);
        server::serve_pages(self.listener, router_with_room(&self.site, Arc::new(room)), clock, stop).await;
    }
}
