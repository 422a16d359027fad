//! Answers of services: read up to a limit.

use reqwest::Response;

/// The text of an answer. What is longer than `most` bytes is no answer.
pub(super) async fn read_capped(mut answer: Response, most: usize) -> Result<String, String> {
    let mut bytes = Vec::new();
    loop {
        match answer.chunk().await {
            Ok(Some(chunk)) if bytes.len() + chunk.len() > most => {
                return Err("its answer is too long".to_owned());
            }
            Ok(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Ok(None) => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(_) => return Err("its answer broke off".to_owned()),
        }
    }
}
