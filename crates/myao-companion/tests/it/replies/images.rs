//! A model that sees what people share.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_core::{
    chat::{Event, FileRef, Message},
    ports::{Image, ImageFormat, ModelError, NoImage, Request},
};
use myao_testkit::{ScriptedAnswer, ScriptedModel, waiting::let_others_work};

use super::{World, soon};

/// A model that tells which images it was shown.
fn seeing() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::answering(|request| names(request).join(" ") + "."))
}

fn names(request: &Request) -> Vec<String> {
    request.images.iter().map(|image| image.name.clone()).collect()
}

/// A workspace whose model is said to see.
async fn world(model: &Arc<ScriptedModel>) -> World {
    let mut world = World::new(model).await;
    world.config.agents.response.vision = true;
    world
}

fn file(name: &str) -> FileRef {
    let image_url = Some(format!("https://files.example/{name}"));
    FileRef { name: name.to_owned(), alt: Some(format!("about {name}")), image_url, ..FileRef::default() }
}

fn image(name: &str) -> Image {
    Image { name: name.to_owned(), format: ImageFormat::Png, bytes: Arc::from(&b"\x89PNG\r\n\x1a\n"[..]) }
}

impl World {
    /// Somebody mentions us with images.
    async fn share(&self, names: &[&str]) {
        let files = names.iter().map(|name| file(name)).collect();
        self.told(Message { files, ..self.message("C1", "<@UMYAO> これは何？") }).await;
    }

    fn have(&self, names: &[&str]) {
        for name in names {
            self.chat.has_image(name, Ok(image(name)));
        }
    }
}

#[tokio::test]
async fn a_model_that_sees_is_shown_what_is_asked_about() {
    let model = seeing();
    let world = world(&model).await;
    world.have(&["a.png", "b.png"]);
    world.share(&["a.png", "b.png"]).await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["a.png b.png."]);
    let prompt = format!("{:?}", model.requests()[0].turns);
    assert!(prompt.contains("[ファイル: a.png（about a.png）]"), "the words name it too: {prompt}");
}

#[tokio::test]
async fn a_model_that_is_not_said_to_see_is_told_in_words() {
    let model = seeing();
    let world = World::new(&model).await;
    assert!(!world.config.agents.response.vision, "off unless somebody wants it");
    world.share(&["a.png"]).await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["."]);
    assert!(format!("{:?}", model.requests()[0].turns).contains("[ファイル: a.png（about a.png）]"));
}

#[tokio::test]
async fn what_is_not_had_is_left_out() {
    let world = world(&seeing()).await;
    world.have(&["b.png"]);
    world.chat.has_image("a.png", Err(NoImage("the scope is missing".to_owned())));
    world.share(&["a.png", "b.png"]).await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["b.png."]);
}

/// All of them together are waited for ten seconds, and no answer waits for more.
#[tokio::test]
async fn what_takes_too_long_is_left_out() {
    let model = seeing();
    let world = world(&model).await;
    world.have(&["a.png", "c.png"]);
    world.share(&["a.png", "slow.png", "c.png"]).await;
    let work = tokio::spawn(world.answering().settle());
    assert_eq!(soon(world.chat.fetched(3)).await, ["a.png", "slow.png", "c.png"], "at once");
    world.clock.advance(SignedDuration::from_secs(9));
    let_others_work().await;
    assert_eq!(model.calls(), 0);
    world.clock.advance(SignedDuration::from_secs(1));
    soon(work).await.expect("it runs");
    assert_eq!(world.chat.texts(), ["a.png c.png."]);
}

#[tokio::test]
async fn a_stop_waits_for_no_image() {
    let world = world(&seeing()).await;
    world.share(&["slow.png"]).await;
    let answering = world.answering();
    let stop = answering.stop.clone();
    let work = tokio::spawn(answering.settle());
    soon(world.chat.fetched(1)).await;
    stop.cancel();
    soon(work).await.expect("it ends");
}

/// It answers from the words, as a model does that was never shown any.
#[tokio::test]
async fn a_model_that_refuses_images_answers_without() {
    let model = Arc::new(ScriptedModel::answering(|request| {
        if request.images.is_empty() {
            ScriptedAnswer::from("見えません")
        } else {
            ScriptedAnswer::from(ModelError::Unsupported(
                "this model does not support image input".to_owned(),
            ))
        }
    }));
    let world = world(&model).await;
    world.have(&["a.png"]);
    world.share(&["a.png"]).await;
    world.settle().await;
    assert_eq!(world.chat.texts(), ["見えません"]);
    assert_eq!(model.calls(), 2);
    assert_eq!(world.states().await, [("done".to_owned(), String::new())]);
}

/// What was shared and taken back before the model was asked is not fetched; nor is what stands elsewhere.
#[tokio::test]
async fn only_what_is_asked_about_is_fetched() {
    let world = world(&seeing()).await;
    world.have(&["a.png"]);
    let elsewhere = Message { files: vec![file("elsewhere.png")], ..world.message("C2", "秘密") };
    world.told(elsewhere).await;
    let gone = Message { files: vec![file("gone.png")], ..world.message("C1", "これ") };
    let ts = world.told(gone).await;
    world.hear(vec![Event::Deleted { channel: world.message("C1", "").channel, ts }]).await;
    world.share(&["a.png"]).await;
    world.settle().await;
    assert_eq!(soon(world.chat.fetched(1)).await, ["a.png"]);
}
