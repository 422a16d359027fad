//! Ports for servers that want to be told theirs before they start.

use std::{
    fs::{self, File, TryLockError},
    net::{Ipv4Addr, TcpListener},
    process,
    sync::{Mutex, PoisonError},
};

/// The system gives none of these to whoever asks for any.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;
/// How many ports lie between the first ones that two processes look at.
const STEP: u32 = 64;

/// The locks of this process's ports, held as long as it lives.
static RESERVED: Mutex<Vec<File>> = Mutex::new(Vec::new());

/// A port on which nobody listens, and which is given to nobody else as long as this process lives: neither by the
/// system, nor by this function to another test process.
///
/// # Panics
/// When all are taken.
pub fn reserve_port() -> u16 {
    let folder = std::env::temp_dir().join("myao-test-ports");
    // Where the folder is another person's, ports are only looked at.
    drop(fs::create_dir_all(&folder));
    let begin = process::id().wrapping_mul(STEP);
    for number in 0..u32::from(COUNT) {
        let offset = begin.wrapping_add(number) % u32::from(COUNT);
        let port = u16::try_from(offset).map_or(FIRST, |offset| FIRST + offset);
        let lock = File::create(folder.join(port.to_string()));
        if matches!(lock.as_ref().map(File::try_lock), Ok(Err(TryLockError::WouldBlock))) {
            continue;
        }
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            RESERVED.lock().unwrap_or_else(PoisonError::into_inner).extend(lock.ok());
            return port;
        }
    }
    panic!("every port from {FIRST} on is taken")
}
