//! A server on loopback that answers each request with what a target put up, and the runtime that both live in.

use std::{
    cell::RefCell,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    runtime::{Builder, Runtime},
};

/// How a head ends.
const HEAD_END: &[u8] = b"\r\n\r\n";
/// Bytes that are read at once.
const PIECE: usize = 16 * 1024;

/// An answer, as it is sent.
#[derive(Clone, Default)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// Header lines, without those that frame the body.
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

/// The server, and everything that talks to it: one thread, so that the same bytes do the same.
pub(super) struct Loopback {
    runtime: Runtime,
    pub(super) address: SocketAddr,
    answer: Arc<Mutex<Answer>>,
}

impl Loopback {
    pub(super) fn start() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
        let address = listener.local_addr().expect("an address");
        let answer: Arc<Mutex<Answer>> = Arc::default();
        let shared = Arc::clone(&answer);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { runtime, address, answer }
    }

    /// Puts up what is answered from now on.
    pub(super) fn put(&self, answer: Answer) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = answer;
    }

    pub(super) fn block_on<F: Future>(&self, work: F) -> F::Output {
        self.runtime.block_on(work)
    }
}

/// Answers on one connection, which is kept.
async fn serve(mut stream: TcpStream, answer: Arc<Mutex<Answer>>) {
    let mut read = Vec::new();
    let mut piece = vec![0; PIECE];
    loop {
        while let Some(end) = request_end(&read) {
            read.drain(..end);
            let answer = answer.lock().unwrap_or_else(PoisonError::into_inner).clone();
            if stream.write_all(&bytes(&answer)).await.is_err() {
                return;
            }
        }
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(count) => read.extend(piece.iter().take(count)),
        }
    }
}

/// Where the first request ends, once it is whole. Requests of ours say how long they are.
fn request_end(read: &[u8]) -> Option<usize> {
    let head = read.windows(HEAD_END.len()).position(|window| window == HEAD_END)? + HEAD_END.len();
    let text = String::from_utf8_lossy(read.get(..head)?).to_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let end = head + length.unwrap_or(0_usize);
    (read.len() >= end).then_some(end)
}

fn bytes(answer: &Answer) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {} x\r\ncontent-length: {}\r\n", answer.status, answer.body.len());
    for (name, value) in &answer.headers {
        // What would end a header line is not part of a value.
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        head.extend([name, ": ", &value, "\r\n"]);
    }
    head.push_str("\r\n");
    // No body goes with these.
    let body = if matches!(answer.status, 204 | 304) { &[][..] } else { &answer.body };
    [head.as_bytes(), body].concat()
}

/// Runs `work` with what a thread needs again and again, made once.
pub(super) fn with<T, R>(
    kept: &'static std::thread::LocalKey<RefCell<Option<T>>>,
    make: impl FnOnce() -> T,
    work: impl FnOnce(&T) -> R,
) -> R {
    kept.with_borrow_mut(|bench| work(bench.get_or_insert_with(make)))
}
