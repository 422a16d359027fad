//! Adds the form of the data to the system prompt, for servers that do not accept it as a parameter.

use myao_core::{
    ports::{DataMode, Request, ResponseFormat},
    text::phrase,
};

/// The system prompt, followed by the schema if the server does not accept it otherwise. It is at the end, since
/// providers cache beginnings, and what is before it is the same in every call.
pub(super) fn system_with_schema(request: &Request) -> String {
    match &request.form {
        ResponseFormat::Text | ResponseFormat::Data { means: DataMode::Schema, .. } => request.system.clone(),
        ResponseFormat::Data { schema, means: DataMode::Object | DataMode::Words, .. } => {
            let words = phrase(request.language, "data-only");
            format!("{}\n\n{words}\n{schema}", request.system)
        }
    }
}
