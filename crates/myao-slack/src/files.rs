//! Finds and downloads the images that people share, and looks up files of which a message tells only the id.

use myao_core::{
    chat::FileRef,
    ports::{Image, ImageFormat, NoImage},
};
use serde_json::Value;

use crate::{
    api::{ApiError, Client, Method},
    json, message,
};

/// Most bytes of an image. Anthropic takes 5 MiB in base64, which adds a third; other providers take larger ones.
const MOST_BYTES: usize = 3_900_000;
/// Slack's previews of an image, the largest first.
const PREVIEWS: [&str; 6] = ["thumb_1024", "thumb_960", "thumb_800", "thumb_720", "thumb_480", "thumb_360"];

/// The address of an image's content: of the image itself, or of Slack's largest preview where it is too large or of a
/// type that models do not take, such as a phone's photo. `None` if it is no image, or not stored at Slack.
pub(crate) fn image_url(file: &Value) -> Option<String> {
    let media_type = json::text(file, "mimetype").filter(|kind| kind.starts_with("image/"))?;
    if json::flag(file, "is_external") {
        return None;
    }
    let size = file.get("size").and_then(Value::as_u64).and_then(|size| usize::try_from(size).ok());
    let is_taken = is_known(media_type) && size.is_none_or(|size| size <= MOST_BYTES);
    let keys: &[&str] = if is_taken { &["url_private"] } else { &PREVIEWS };
    let url = keys.iter().find_map(|key| json::text(file, key))?;
    // Exports append a token to it, a secret that is not ours to keep and not needed.
    url.split(['?', '#']).next().map(|url| crate::text::clean(url).into_owned())
}

fn is_known(media_type: &str) -> bool {
    ImageFormat::ALL.iter().any(|format| format.media_type() == media_type)
}

/// Downloads an image. If we may not see it, Slack sends a web page with status 200, so only content that is declared
/// as an image and begins like one is taken for one.
pub(crate) async fn image(client: &Client, file: &FileRef) -> Result<Image, NoImage> {
    let no_image = |why: &str| NoImage(why.to_owned());
    let url = file.image_url.as_deref().ok_or_else(|| no_image("it is no image"))?;
    let download = client.download(url, MOST_BYTES).await.map_err(NoImage)?;
    if download.media_type == "text/html" {
        return Err(no_image("Slack answers with a page: is the scope `files:read` there?"));
    }
    if !is_known(&download.media_type) {
        return Err(no_image("it is of no kind that models take"));
    }
    let format =
        ImageFormat::of(&download.bytes).ok_or_else(|| no_image("it does not begin like an image"))?;
    Ok(Image { name: file.name.clone(), format, bytes: download.bytes.into() })
}

/// Slack's answers about a file that is not there, or not for us.
const NOT_SHOWN: [&str; 4] = ["file_not_found", "file_deleted", "access_denied", "not_visible"];

impl Client {
    /// A file that a message names by its id only, as those of other workspaces are. `None` if Slack does not show it.
    pub async fn file(&self, id: &str) -> Result<Option<FileRef>, ApiError> {
        match self.call(Method::FilesInfo, &[("file", id.to_owned())]).await {
            Ok(answer) => Ok(answer.get("file").and_then(message::file)),
            Err(error) if error.refusal().is_some_and(|why| NOT_SHOWN.contains(&why)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
