//! What others can reach: the health port, connections in the clear, files with loose modes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use myao_config::{Config, HealthCheck};

use super::{CheckReport, Finding};
use crate::exposure::{self, Exposure};

/// Looks at what a configuration opens to others. Notes only: it may be meant so.
pub(super) fn check(config: &Config, report: &mut CheckReport) {
    report.add(health(config.health_check));
    for found in exposure::connections(config).into_iter().chain(exposure::loose_files(config)) {
        let Exposure { subject, what, mend } = found;
        report.add(Finding::noted(subject, what, mend));
    }
}

fn health(settings: HealthCheck) -> Finding {
    const SUBJECT: &str = "health_check";
    let host = settings.host.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let address = SocketAddr::from((host, settings.port));
    let pages = format!("http://{address}/live and /ready");
    if host.to_canonical().is_loopback() {
        return Finding::fine(SUBJECT, format!("{pages}, reachable from this machine only"));
    }
    let advice = "set health_check.host: 127.0.0.1 where probes come from this machine; else let a firewall, or the \
                  container's network, say who gets there";
    Finding::noted(SUBJECT, format!("{pages}, reachable from other machines"), advice)
}
