//! Passwords, their hashes, and the keys under which sessions are stored.

use std::fmt::Write as _;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// Says that a configured hash of a password cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("web.password or web.reader_password begins like a hash of argon2 and is none: {0}")]
pub struct PasswordError(String);

/// A password, as a hash that is slow to compute.
#[derive(Clone)]
pub(super) struct Password {
    hash: PasswordHash,
    /// Mixed into the ids of sessions, so that a new password ends them.
    key: [u8; 32],
}

impl Password {
    /// Takes a password in the clear, or an argon2 hash of it.
    pub(super) fn new(given: &str, salt: &[u8; 32]) -> Result<Self, PasswordError> {
        let hash = if given.starts_with("$argon2") {
            PasswordHash::new(given).map_err(|error| PasswordError(error.to_string()))?
        } else {
            let hashed = Argon2::default().hash_password_with_salt(given.as_bytes(), salt);
            hashed.map_err(|error| PasswordError(error.to_string()))?
        };
        Ok(Self { hash, key: hmac_sha256(given.as_bytes(), b"sessions of the pages") })
    }

    /// Whether `tried` is the password. Takes some hundredths of a second and 19 MiB, so that guessing is slow.
    pub(super) fn is(&self, tried: &str) -> bool {
        Argon2::default().verify_password(tried.as_bytes(), &self.hash).is_ok()
    }

    /// The key under which the session with this id is stored.
    pub(super) fn session_key(&self, id: &str) -> String {
        as_hex(&hmac_sha256(&self.key, id.as_bytes()))
    }
}

/// Computes an HMAC-SHA-256.
pub(super) fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    // HMAC takes keys of any length, so this never fails.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.update(message);
    mac.finalize().into_bytes().into()
}

pub(super) fn as_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").ok();
        text
    })
}
