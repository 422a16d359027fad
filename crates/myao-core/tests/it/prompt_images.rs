//! Images that go with a prompt, for models that see.

use std::sync::Arc;

use myao_core::{
    chat::{FileRef, Message},
    context::ChannelMessages,
    ports::{IMAGE_TOKENS, Image, ImageFormat, ModelError, RecordedOutcome, Recording, estimate_request},
    prompt::{Composer, MOST_IMAGES, Prompt},
    text::Language,
};

use crate::prompt_sample::{bare, general, names, now, replied, said, templates, tokyo, ts};

fn prompt(messages: Vec<Message>, waiting: &[i64], thread: Option<i64>) -> Prompt {
    let mut context = bare(Language::En, Vec::new());
    let waiting = waiting.iter().map(|seconds| ts(*seconds));
    context.conversation_history = ChannelMessages::new(general(), messages).with_waiting(waiting);
    context.target_thread_ts = thread.map(ts);
    let names = names(Language::En);
    let zone = tokyo();
    let templates = templates(Language::En);
    let composer = Composer { templates: &templates, names: &names, zone: &zone, max_tokens: 8000 };
    composer.reply(&context, &[], now()).unwrap()
}

/// What these messages, of which these wait, have to show.
fn shown(messages: Vec<Message>, waiting: &[i64], thread: Option<i64>) -> Vec<String> {
    prompt(messages, waiting, thread).images.into_iter().map(|file| file.name).collect()
}

fn image(name: &str) -> FileRef {
    let image_url = Some(format!("https://files.example/{name}"));
    FileRef { name: name.to_owned(), image_url, ..FileRef::default() }
}

fn with(images: &[&str], message: Message) -> Message {
    Message { files: images.iter().map(|name| image(name)).collect(), ..message }
}

#[test]
fn what_is_asked_about_is_shown_newest_first() {
    let messages = vec![
        with(&["a"], said(0, 1, "what is this?")),
        with(&["b"], said(10, 2, "by the way")),
        with(&["c", "d"], said(20, 2, "and this?")),
        said(30, 1, "hm"),
    ];
    assert_eq!(shown(messages, &[0, 20], None), ["c", "d", "a", "b"]);
}

/// An image comes first and the question after it; what others share is not asked about.
#[test]
fn what_the_same_person_shared_just_before_belongs_to_the_question() {
    let messages = vec![
        with(&["long ago"], said(0, 1, "x")),
        with(&["mine"], said(700, 1, "look")),
        with(&["another's"], said(710, 2, "look here")),
        with(&["elsewhere"], replied(700, 720, 1, "in a thread")),
        said(1100, 1, "what is it?"),
        with(&["later"], said(1200, 1, "and that")),
    ];
    assert_eq!(shown(messages, &[1100], None), ["mine"]);
}

#[test]
fn a_thread_is_about_its_root() {
    let messages = vec![
        with(&["before"], said(0, 2, "x")),
        with(&["root"], said(10, 1, "the new design")),
        with(&["beside"], said(20, 2, "x")),
        with(&["said before"], replied(10, 30, 2, "or so")),
        with(&["question"], replied(10, 40, 2, "which?")),
    ];
    assert_eq!(shown(messages, &[40], Some(10)), ["question", "root", "said before"]);
}

#[test]
fn when_nobody_asked_the_newest_message_counts() {
    let messages = vec![with(&["old"], said(0, 2, "x")), with(&["new"], said(10, 1, "nobody sees my cat"))];
    assert_eq!(shown(messages, &[], None), ["new"]);
    assert_eq!(shown(vec![], &[], None), Vec::<String>::new());
}

#[test]
fn there_are_few_of_them_and_none_twice() {
    let many = ["a", "b", "a", "c", "d", "e"];
    assert_eq!(MOST_IMAGES, 4);
    assert_eq!(shown(vec![with(&many, said(0, 1, "all of them"))], &[0], None), ["a", "b", "c", "d"]);
    let plan = FileRef { name: "plan.pdf".to_owned(), ..FileRef::default() };
    assert_eq!(shown(vec![Message { files: vec![plan], ..said(0, 1, "read this") }], &[0], None), [""; 0]);
}

/// What has no room in the words is not shown either.
#[test]
fn what_is_not_in_the_prompt_has_no_images() {
    let long = |seconds: i64| said(seconds, 2, &"word ".repeat(380));
    let mut messages = vec![with(&["far back"], said(0, 1, "look"))];
    messages.extend((1..60).map(long));
    messages.push(said(100, 1, "what is it?"));
    let prompt = prompt(messages, &[100], None);
    assert!(prompt.earlier_messages > 0);
    assert_eq!(prompt.images, []);
    assert_eq!(prompt.answers, [ts(100)]);
}

#[test]
fn the_bytes_tell_the_format() {
    let table: [(&[u8], Option<ImageFormat>); 9] = [
        (b"\x89PNG\r\n\x1a\n", Some(ImageFormat::Png)),
        (b"\xff\xd8\xff\xdb", Some(ImageFormat::Jpeg)),
        (b"GIF87a", Some(ImageFormat::Gif)),
        (b"GIF89a...", Some(ImageFormat::Gif)),
        (b"RIFF1234WEBPVP8 ", Some(ImageFormat::WebP)),
        (b"RIFF1234WAVE", None),
        (b"GIF88a", None),
        (b"<!doctype html>", None),
        (b"", None),
    ];
    for (bytes, format) in table {
        assert_eq!(ImageFormat::of(bytes), format, "{bytes:?}");
    }
}

/// An image costs tokens; what it shows stands in no log and no recording.
#[test]
fn an_image_is_counted_and_never_written_down() {
    let mut request = prompt(vec![said(0, 1, "hi")], &[0], None).into_request(100);
    let words = estimate_request(&request);
    let bytes: Arc<[u8]> = Arc::from(&b"\x89PNG secret secret"[..]);
    let image = Image { name: "cat.png".to_owned(), format: ImageFormat::Png, bytes };
    request.images = vec![image.clone(), image];
    assert_eq!(estimate_request(&request), words + 2 * IMAGE_TOKENS);
    assert!(format!("{request:?}").contains("cat.png") && !format!("{request:?}").contains("115, 101, 99"));
    let failed = Err(ModelError::Timeout(1));
    let recording = Recording::of(now(), "some/model", &request, &failed);
    assert_eq!(recording.answer, RecordedOutcome::Error(ModelError::Timeout(1)));
    let line = serde_json::to_string(&recording).unwrap();
    let note = r#""images":[{"name":"cat.png","media_type":"image/png","bytes":18}"#;
    assert!(line.contains(note) && !line.contains("secret"), "{line}");
    assert!(recording.is_of(&request));
    request.images.pop();
    assert!(!recording.is_of(&request), "it was shown something else");
}

#[test]
fn a_file_of_an_older_archive_is_read() {
    let old = r#"{"name":"plan.pdf","mimetype":"application/pdf","permalink":"https://x.example/f"}"#;
    let file: FileRef = serde_json::from_str(old).unwrap();
    assert_eq!((file.alt.as_deref(), file.image_url.as_deref()), (None, None));
    assert_eq!(serde_json::to_string(&file).unwrap(), old, "and written as it was");
}
