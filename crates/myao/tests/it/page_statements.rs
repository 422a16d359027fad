//! Pages ask the database no oftener where a memory is old and a person is talked of much (ADR 64): counted from outside,
//! in the log of the driver of a real `myao web`.

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::PathBuf,
    process::{Child, Stdio},
};

use jiff::Timestamp;
use myao_core::chat::{
    Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, User, UserId,
};
use myao_store::{Store, Target};

use crate::binary::Home;

/// Seconds between two messages: each is a chapter of its own.
const APART: i64 = 3 * 3600;
/// What more chapters may cost beside the first: their talk is read by fifty at once, and more of the index's terms are
/// looked up.
const FEW_MORE: usize = 6;

/// A channel in which so many things were said, hours apart, all of them remembered.
async fn remembered(said: i64) -> Home {
    let home = Home::with_config("memory: {database_path: memory.db}\nlogging: {loggers: {sqlx: DEBUG}}");
    let store = Store::open(&Target::Sqlite(home.path("memory.db"))).await.expect("a new database");
    let id = ChannelId::new("C1");
    let at = |nth: i64| MessageTs::from_micros((1_750_000_000 + nth * APART) * 1_000_000);
    let message = |nth: i64| Message {
        channel: id.clone(),
        ts: at(nth),
        thread_ts: None,
        user: UserId::new("U1"),
        kind: MessageKind::Talk,
        text: format!("Decided: box number {nth} goes to the mill, Noor Haddad takes it there"),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    };
    let channel =
        Channel { id: id.clone(), name: "general".to_owned(), kind: ChannelKind::Public, external: false };
    let people = [("U1", "Tomasz Nowak"), ("U2", "Noor Haddad")];
    let people = people
        .map(|(id, name)| Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false }));
    let events = people.into_iter().chain([Event::Channel(channel)]);
    let events = events.chain((0..said).map(|nth| Event::Message(message(nth))));
    let heard = Event::HeardUntil { channel: id.clone(), until: at(said) };
    store.intake().apply(events.chain([heard]).collect(), Timestamp::now()).await.expect("applied");
    store.close().await;
    home.done(&["memory", "build"]);
    home
}

/// `myao web` with its log in a file; killed when the test is over.
pub(crate) struct Pages {
    program: Child,
    port: u16,
    log: PathBuf,
}

impl Pages {
    pub(crate) fn serve(home: &Home) -> Self {
        let log = home.path("web.log");
        let mut command = home.command(&["web", "--listen", "127.0.0.1:0"]);
        let file = File::create(&log).expect("a file");
        let mut program = command.stdout(Stdio::piped()).stderr(file).spawn().expect("it starts");
        let mut said = BufReader::new(program.stdout.take().expect("a pipe")).lines();
        let line = said.next().expect("a line").expect("text");
        let address = line.split_once("http://127.0.0.1:").expect("an address").1;
        let port = address.split('/').next().and_then(|port| port.parse().ok()).expect("a port");
        Self { program, port, log }
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", self.port);
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.lines().next().unwrap_or_default();
        assert!(status.contains("200") || status.contains("303"), "{path}: {status}");
        answer
    }

    /// Statements that a page asks, but for those that a connection sets itself up with. It is loaded once before, so that
    /// nothing is counted that is kept from then on.
    fn statements(&self, path: &str) -> usize {
        self.get(path);
        let before = self.asked();
        self.get(path);
        self.asked() - before
    }

    fn asked(&self) -> usize {
        let log = fs::read_to_string(&self.log).expect("a log");
        log.lines().filter(|line| line.contains("sqlx::query") && !line.contains("PRAGMA")).count()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // It may have ended already.
        self.program.kill().ok();
        self.program.wait().ok();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_of_an_old_memory_ask_as_little_as_those_of_a_young_one() {
    let young = remembered(25).await;
    let old = remembered(75).await;
    let young = Pages::serve(&young);
    let old = Pages::serve(&old);
    let person = old.get("/people/U2");
    assert!(person.matches("/source?entry=").count() > 50, "lines with links to their sources: {person}");
    // What is counted once after the start is counted.
    young.get("/");
    old.get("/");
    for (path, more) in [
        ("/channel/C1/changes", 0),
        ("/workspace", 0),
        ("/people/U2", 0),
        ("/forget?text=mill", 0),
        ("/forget?user=U1", 0),
        ("/cost", 0),
        ("/channel/C1/why?words=box%20number%202%20goes", FEW_MORE),
        ("/channel/C1/why?words=Noor%20carries%20all%20boxes%20to%20the%20old%20mill", FEW_MORE),
        ("/channel/C1/prompt", FEW_MORE),
    ] {
        let few = young.statements(path);
        let many = old.statements(path);
        assert!(few > 2 && many <= few + more, "{path}: {few} statements, {many} of an old memory");
    }
}

/// A line's link leads to the message that it was made from, and is looked for only then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_source_of_a_line_is_looked_for_once_somebody_asks() {
    let home = remembered(8).await;
    let pages = Pages::serve(&home);
    let person = pages.get("/people/U2");
    let link = person.split("href=\"").find(|link| link.contains("/source?entry=")).expect("a link");
    let link = link.split('"').next().expect("an address").replace("&amp;", "&");
    let answer = pages.get(&link);
    let to = answer.lines().find_map(|line| line.strip_prefix("location: ")).expect("it leads somewhere");
    assert!(to.starts_with("/channel/C1/said/"), "{to}");
    for odd in
        ["/channel/C1/source", "/channel/C1/source?entry=999&line=0", "/channel/C2/source?entry=1&line=0"]
    {
        let mut stream = TcpStream::connect(("127.0.0.1", pages.port)).expect("it listens");
        write!(stream, "GET {odd} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", pages.port)
            .expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 404"), "{odd}: {answer}");
    }
}
