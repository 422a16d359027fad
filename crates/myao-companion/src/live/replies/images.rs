//! The images of what is to be answered, for a model that sees (`agents.response.vision`).

use futures::{StreamExt, stream::FuturesUnordered};
use jiff::SignedDuration;
use myao_core::{
    chat::{FileRef, instant_after},
    ports::Image,
};

use super::Answering;

/// How long we wait for the images of an answer, all of them together: somebody waits for the answer.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(10);

impl Answering {
    /// The images among `files` that arrive in time, in their order. The prompt names the others, like every file.
    pub(super) async fn fetch_in_time(&self, files: &[FileRef]) -> Vec<(FileRef, Image)> {
        if !self.config.agents.response.vision || files.is_empty() {
            return Vec::new();
        }
        let deadline = self.clock.sleep_until(instant_after(self.clock.now(), LONGEST_WAIT));
        let mut had: Vec<(usize, Image)> = Vec::new();
        let fetch = async |(index, file): (usize, &FileRef)| (index, self.chat.image(file).await);
        let mut fetches: FuturesUnordered<_> = files.iter().enumerate().map(fetch).collect();
        let all = async {
            while let Some((index, image)) = fetches.next().await {
                match image {
                    Ok(image) => had.push((index, image)),
                    Err(why) => tracing::warn!(%why, "an image is not shown to the model"),
                }
            }
        };
        tokio::select! {
            () = all => {}
            () = deadline => tracing::warn!("images that took too long are not shown to the model"),
            () = self.stop.cancelled() => {}
        }
        had.sort_by_key(|(index, _)| *index);
        had.into_iter().filter_map(|(index, image)| Some((files.get(index)?.clone(), image))).collect()
    }
}
