//! A connection to PostgreSQL that breaks where a test says so. It is a real proxy between the program and the server.
//! It reads what the program sends message by message, and closes both connections at one of them.

use std::{
    io,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
    task::JoinHandle,
};

/// PostgreSQL's port, which is also a part of its socket's name.
const PORT: u16 = 5432;
/// The version of the protocol, with which a program begins.
const PROTOCOL: [u8; 4] = [0, 3, 0, 0];
const CHUNK: usize = 16 * 1024;

/// Says where a connection breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionCut {
    /// Before the statement with this number, from now on and from 1, reaches the server. A statement that is prepared
    /// counts once more when it is run.
    Before(u64),
    /// After the server has carried out the COMMIT with this number, before the program hears of it.
    Answer(u64),
}

/// A proxy to a database. It ends when this value is dropped.
#[derive(Debug)]
pub struct DatabaseProxy {
    url: String,
    planned: Arc<Mutex<Option<ConnectionCut>>>,
    serving: JoinHandle<()>,
}

impl DatabaseProxy {
    /// Puts a proxy in front of a database of [`fresh_database`](crate::fresh_database).
    ///
    /// # Panics
    /// When the address is not one of those.
    pub async fn before(url: &str) -> Self {
        let (rest, folder) = url.split_once("?host=").unwrap_or_else(|| panic!("no socket in {url}"));
        let folder = folder.split('&').next().unwrap_or_default();
        let name = rest.rsplit('/').next().unwrap_or_default();
        let socket = PathBuf::from(folder).join(format!(".s.PGSQL.{PORT}"));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap_or_else(|e| panic!("no port: {e}"));
        let port = listener.local_addr().map_or(0, |address| address.port());
        let planned: Arc<Mutex<Option<ConnectionCut>>> = Arc::default();
        let cuts = Arc::clone(&planned);
        let serving = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let socket = socket.clone();
                let planned = Arc::clone(&cuts);
                tokio::spawn(async move {
                    if let Ok(server) = UnixStream::connect(&socket).await {
                        drop(carry_connection(client, server, &planned).await);
                    }
                });
            }
        });
        Self { url: format!("postgres://postgres@127.0.0.1:{port}/{name}?sslmode=disable"), planned, serving }
    }

    /// The address by which the database is reached through the proxy.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Plans a cut, instead of one that was planned before.
    pub fn plan(&self, cut: ConnectionCut) {
        *self.planned.lock().unwrap_or_else(PoisonError::into_inner) = Some(cut);
    }

    /// Whether the cut that was planned last was made.
    pub fn is_made(&self) -> bool {
        self.planned.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Takes back the planned cut. False when it was made already.
    pub fn calm(&self) -> bool {
        self.planned.lock().unwrap_or_else(PoisonError::into_inner).take().is_some()
    }
}

impl Drop for DatabaseProxy {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// What happens to a message.
enum Fate {
    Forwarded,
    Cut,
    CutAfterAnswer,
}

fn fate_of_message(message: &[u8], planned: &Mutex<Option<ConnectionCut>>) -> Fate {
    let mut planned = planned.lock().unwrap_or_else(PoisonError::into_inner);
    let is_statement = matches!(message.first(), Some(b'Q' | b'P' | b'B'));
    let is_commit = message.starts_with(b"Q") && message.ends_with(b"COMMIT\0");
    match planned.as_mut() {
        Some(ConnectionCut::Before(number)) if is_statement => {
            *number -= 1;
            if *number == 0 {
                *planned = None;
                return Fate::Cut;
            }
        }
        Some(ConnectionCut::Answer(number)) if is_commit => {
            *number -= 1;
            if *number == 0 {
                *planned = None;
                return Fate::CutAfterAnswer;
            }
        }
        Some(ConnectionCut::Before(_) | ConnectionCut::Answer(_)) | None => {}
    }
    Fate::Forwarded
}

/// Carries one connection until it ends or is cut. Then both sides are closed.
async fn carry_connection(
    mut client: TcpStream,
    mut server: UnixStream,
    planned: &Mutex<Option<ConnectionCut>>,
) -> io::Result<()> {
    let mut up = vec![0; CHUNK];
    let mut down = vec![0; CHUNK];
    let mut pending = Vec::new();
    let mut has_begun = false;
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                pending.extend(up.iter().take(read));
                while let Some(message) = next_message(&mut pending, &mut has_begun) {
                    match fate_of_message(&message, planned) {
                        Fate::Forwarded => server.write_all(&message).await?,
                        Fate::Cut => return Ok(()),
                        Fate::CutAfterAnswer => {
                            server.write_all(&message).await?;
                            let answered = server.read(&mut down).await?;
                            return if answered == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) };
                        }
                    }
                }
            }
            read = server.read(&mut down) => {
                let read = read?;
                if read == 0 {
                    return Ok(());
                }
                client.write_all(down.get(..read).unwrap_or_default()).await?;
            }
        }
    }
}

/// The next whole message of a program, once all of it has come. The first messages have no kind, only a length.
fn next_message(pending: &mut Vec<u8>, has_begun: &mut bool) -> Option<Vec<u8>> {
    let kind = usize::from(*has_begun);
    let length: [u8; 4] = pending.get(kind..kind + 4)?.try_into().ok()?;
    let whole = kind + usize::try_from(u32::from_be_bytes(length)).ok()?;
    if pending.len() < whole {
        return None;
    }
    let message: Vec<u8> = pending.drain(..whole).collect();
    if !*has_begun && message.get(4..8) == Some(&PROTOCOL) {
        *has_begun = true;
    }
    Some(message)
}
