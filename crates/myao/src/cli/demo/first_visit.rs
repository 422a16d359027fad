//! Which language the demo is in where neither `--lang` nor the terminal says so: that of the browser that comes first.
//!
//! The page exists only once the sample is imported. So the first request is read for its language and sent to the same
//! address again, where it waits in the listener's queue until the page is served.

use std::collections::VecDeque;

use myao_core::text::Language;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::{AbortHandle, JoinSet},
};

use super::super::Failure;

/// The most bytes of a request's head that are read: browsers send one or two thousand.
const MOST_BYTES: usize = 32 << 10;
/// The most connections that are looked at together; the oldest gives way. Browsers open some in advance and send nothing.
const MOST_CONNECTIONS: usize = 16;
/// Where a request goes whose own path cannot be repeated.
const HOME: &str = "/talk";

/// The head of a request, as far as it matters here.
struct RequestHead {
    path: String,
    /// What it says of languages; empty if nothing.
    languages: String,
}

/// A request whose head was read.
struct FirstVisit {
    stream: TcpStream,
    head: RequestHead,
}

/// Waits for the first request; the first language in it that the demo has, else English.
pub(super) async fn language_of_first_visit(listener: &TcpListener) -> Result<Language, Failure> {
    let mut reading: JoinSet<Option<FirstVisit>> = JoinSet::new();
    let mut under_way: VecDeque<AbortHandle> = VecDeque::new();
    // Whoever comes after the first one stays in the listener's queue.
    let visit = loop {
        tokio::select! {
            biased;
            Some(read) = reading.join_next() => {
                if let Ok(Some(visit)) = read {
                    break visit;
                }
            }
            accepted = listener.accept() => {
                if let Ok((stream, _)) = accepted {
                    if under_way.len() == MOST_CONNECTIONS && let Some(oldest) = under_way.pop_front() {
                        oldest.abort();
                    }
                    under_way.push_back(reading.spawn(read_request(stream)));
                }
            }
        }
    };
    let language = language_asked_for(&visit.head.languages);
    send_to_same_address(visit).await;
    Ok(language)
}

async fn read_request(mut stream: TcpStream) -> Option<FirstVisit> {
    let head = read_head(&mut stream).await?;
    Some(FirstVisit { stream, head })
}

/// Where this fails, whoever came has gone, or asks again.
async fn send_to_same_address(visit: FirstVisit) {
    let FirstVisit { mut stream, head } = visit;
    let answer = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nLocation: {}\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: \
         close\r\n\r\n",
        head.path
    );
    if stream.write_all(answer.as_bytes()).await.is_ok() {
        stream.shutdown().await.ok();
    }
}

async fn read_head(stream: &mut TcpStream) -> Option<RequestHead> {
    let mut bytes = Vec::new();
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        if bytes.len() > MOST_BYTES || stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(parse_head(&String::from_utf8_lossy(&bytes)))
}

fn parse_head(text: &str) -> RequestHead {
    let mut lines = text.split("\r\n");
    let path = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let is_own = path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    let languages = lines
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("accept-language"))
        .map_or_else(String::new, |(_, value)| value.trim().to_owned());
    RequestHead { path: if is_own { path.to_owned() } else { HOME.to_owned() }, languages }
}

fn language_asked_for(languages: &str) -> Language {
    let known = |tag: &str| tag.trim().get(..2)?.to_ascii_lowercase().parse::<Language>().ok();
    languages.split(',').find_map(known).unwrap_or(Language::En)
}
