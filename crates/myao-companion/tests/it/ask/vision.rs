//! Images, and models that do not take them.

use std::sync::Arc;

use myao_companion::ask::{AskError, CallSubject, ToolResult, Toolbox};
use myao_core::ports::{BoxFuture, IMAGE_TOKENS, Image, ImageFormat, ModelError, Request, Role, ToolCall};
use myao_store::CallGroup;
use myao_testkit::ScriptedModel;

use super::{Desk, request, said};

fn with_image() -> Request {
    let bytes: Arc<[u8]> = Arc::from(&b"\x89PNG\r\n\x1a\n"[..]);
    let image = Image { name: "cat.png".to_owned(), format: ImageFormat::Png, bytes };
    Request { images: vec![image], ..request(Role::Response) }
}

/// A model that answers what holds no image, and fails so for the rest.
fn without_eyes(error: &ModelError) -> Arc<ScriptedModel> {
    let error = error.clone();
    Arc::new(ScriptedModel::answering(move |request| {
        if request.images.is_empty() {
            "a cat, I am told".into()
        } else {
            myao_testkit::ScriptedAnswer::from(error.clone())
        }
    }))
}

/// How many images each call held.
fn shown(model: &ScriptedModel) -> Vec<usize> {
    model.requests().iter().map(|request| request.images.len()).collect()
}

#[tokio::test]
async fn a_model_that_does_not_see_is_asked_without_and_remembered() {
    let model = without_eyes(&ModelError::Unsupported("no images".to_owned()));
    let desk = Desk::new(&model).await;
    for _ in 0..2 {
        let answer = desk.ask(&with_image()).await.expect("answered");
        assert_eq!(answer.response.text, "a cat, I am told");
    }
    assert_eq!(shown(&model), [1, 0, 0]);
    let sums = desk.sums(CallGroup::Model).await.remove(0);
    assert_eq!((sums.calls, sums.failed), (3, 1), "what was refused is recorded too");
}

/// One image that it cannot read, or that is too large for it, says nothing about the next.
#[tokio::test]
async fn an_image_that_is_refused_is_left_out_this_time() {
    for error in
        [ModelError::Rejected("could not process image".to_owned()), ModelError::TooLong("413".to_owned())]
    {
        let model = without_eyes(&error);
        let desk = Desk::new(&model).await;
        for _ in 0..2 {
            desk.ask(&with_image()).await.expect("answered");
        }
        assert_eq!(shown(&model), [1, 0, 1, 0]);
    }
}

/// What is not about images is not made better by leaving them out, and is told as it is.
#[tokio::test]
async fn other_failures_are_what_they_are() {
    for error in [ModelError::NoSuchModel("gpt".to_owned()), ModelError::Unauthorised("key".to_owned())] {
        let model = without_eyes(&error);
        let desk = Desk::new(&model).await;
        let failed = desk.ask(&with_image()).await.expect_err("it fails");
        assert_eq!((failed.model_error(), shown(&model)), (Some(&error), vec![1]));
    }
    let refusal = || ModelError::Unsupported("tools".to_owned());
    let model = Arc::new(ScriptedModel::answering(move |_| refusal()));
    let desk = Desk::new(&model).await;
    for _ in 0..2 {
        let failed = desk.ask(&with_image()).await.expect_err("it fails");
        assert!(matches!(failed, AskError::Model { error: ModelError::Unsupported(_), .. }), "{failed}");
    }
    assert_eq!(shown(&model), [1, 0, 1, 0], "it was not about the image");
}

#[tokio::test]
async fn whoever_wants_to_know_is_told() {
    let error = ModelError::Unsupported("no images".to_owned());
    let model = without_eyes(&error);
    let desk = Desk::new(&model).await;
    let failed = desk.asker.ask_as_it_is(&with_image(), CallSubject::default()).await.expect_err("it fails");
    assert_eq!((failed.model_error(), shown(&model)), (Some(&error), vec![1]));
}

/// It is what the question is about: every round of a tool loop holds it.
#[tokio::test]
async fn images_stay_while_tools_are_used() {
    let call = ToolCall { id: "a".to_owned(), name: "recall".to_owned(), arguments: serde_json::json!({}) };
    let wish = myao_core::ports::Response {
        calls: vec![call],
        stop: myao_core::ports::StopReason::Tools,
        ..said("", 50, 5)
    };
    let model = Arc::new(ScriptedModel::answers([myao_testkit::ScriptedAnswer::from(wish), "a cat".into()]));
    let desk = Desk::new(&model).await;
    let spec = myao_core::ports::ToolSpec {
        name: "recall".to_owned(),
        description: "…".to_owned(),
        parameters: serde_json::json!({"type": "object"}),
    };
    let tools = Toolbox { specs: vec![spec], run: &nothing, must_answer: false, show: None };
    desk.run(desk.asker.converse_with_tools(&with_image(), &CallSubject::default(), &tools))
        .await
        .expect("answered");
    assert_eq!(shown(&model), [1, 1]);
}

fn nothing<'a>(_: ToolCall) -> BoxFuture<'a, ToolResult> {
    Box::pin(async { Ok("nothing".to_owned()) })
}

/// A budget that has room for the words has none for the image.
#[tokio::test]
async fn images_are_reserved_like_words() {
    let model = Arc::new(ScriptedModel::answering(|_| "a cat"));
    let tokens = u64::try_from(IMAGE_TOKENS).expect("few");
    let desk = Desk::with(&model, Some(tokens), false).await;
    let failed = desk.ask(&with_image()).await.expect_err("no room");
    assert!(matches!(failed, AskError::Budget { .. }), "{failed}");
    desk.ask(&request(Role::Response)).await.expect("room for words");
}
