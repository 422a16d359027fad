//! Finds and downloads the images that people share, and looks up files of which a message tells only the id.

use myao_core::{
    chat::FileRef,
    ports::{Image, ImageFormat, NoImage},
};

use crate::{
    api::{ApiError, Client, Method},
    message::{self, MOST_IMAGE_BYTES, is_taken_by_models},
};

/// Downloads an image. If we may not see it, Slack sends a web page with status 200, so only content that is declared
/// as an image and begins like one is taken for one.
pub(crate) async fn download_image(client: &Client, file: &FileRef) -> Result<Image, NoImage> {
    let no_image = |why: &str| NoImage(why.to_owned());
    let url = file.image_url.as_deref().ok_or_else(|| no_image("it is no image"))?;
    let download = client.download(url, MOST_IMAGE_BYTES).await.map_err(NoImage)?;
    if download.media_type == "text/html" {
        return Err(no_image("Slack answers with a page: is the scope `files:read` there?"));
    }
    if !is_taken_by_models(&download.media_type) {
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
    pub async fn look_up_file(&self, id: &str) -> Result<Option<FileRef>, ApiError> {
        match self.call(Method::FilesInfo, &[("file", id.to_owned())]).await {
            Ok(answer) => Ok(answer.get("file").and_then(message::file_of_object)),
            Err(error) if error.refusal().is_some_and(|why| NOT_SHOWN.contains(&why)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
