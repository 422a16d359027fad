//! Adds the form of the data to the system prompt, for servers that do not accept it as a parameter.

use myao_core::{
    ports::{DataMode, Request, ResponseFormat},
    text::Language,
};

/// The system prompt, followed by the schema if the server does not accept it otherwise. It is at the end, since
/// providers cache beginnings, and what is before it is the same in every call.
pub(super) fn system_with_schema(request: &Request) -> String {
    match &request.form {
        ResponseFormat::Text | ResponseFormat::Data { means: DataMode::Schema, .. } => request.system.clone(),
        ResponseFormat::Data { schema, means: DataMode::Object | DataMode::Words, .. } => {
            let words = match request.language {
                Language::Ja => {
                    "回答は、次のスキーマに合う JSON オブジェクト一つだけにしてください。前後に文やコードブロックを付けないでください。"
                }
                Language::En => {
                    "Answer with one JSON object that fits this schema, and nothing else: no other words, no \
                     code block."
                }
            };
            format!("{}\n\n{words}\n{schema}", request.system)
        }
    }
}
