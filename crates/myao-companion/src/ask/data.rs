//! Asks for JSON: in the strictest mode that the server supports, read leniently, with one repair (specification §8).

use std::sync::PoisonError;

use myao_core::{
    ports::{DataMode, ModelError, Request, ResponseFormat},
    text::whole_characters,
    wording::ask_for_repair,
};
use myao_store::CallRecord;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Answer, AskError, Asker, CallSubject, visible};

/// Most objects of an answer that are looked at.
const MOST_OBJECTS: usize = 16;

/// Parsed data, and the calls it took.
#[derive(Clone, Debug)]
pub struct DataAnswer<T> {
    /// The data.
    pub value: T,
    /// The model's id.
    pub model: String,
    /// The records of all calls; the last one gave the data.
    pub records: Vec<CallRecord>,
}

impl Asker {
    /// Asks for data that satisfies the schema of `request.form`, and parses it as a `T`.
    ///
    /// A server that does not support a mode is asked in the next less strict one, which is remembered. An answer that
    /// cannot be parsed is shown to the model once, with the error.
    ///
    /// # Errors
    /// [`ModelError::Invalid`] when the repaired answer cannot be parsed either; otherwise those of [`Asker::ask`].
    pub async fn ask_for_json<T: DeserializeOwned>(
        &self,
        request: &Request,
        about: &CallSubject,
    ) -> Result<DataAnswer<T>, AskError> {
        let mut records = Vec::new();
        let mut request = request.clone();
        let answer = self.ask_by_any_means(&mut request, about).await?;
        let (text, model) = move_record_out(answer, &mut records);
        let problem = match parse_answer(&text) {
            Ok(value) => return Ok(DataAnswer { value, model, records }),
            Err(problem) => problem,
        };
        tracing::warn!(model, %problem, "the model's JSON cannot be parsed; asking it for a repair");
        let mut request = ask_for_repair(&request, &text, &problem);
        let answer = self.ask_by_any_means(&mut request, about).await?;
        let (text, model) = move_record_out(answer, &mut records);
        match parse_answer(&text) {
            Ok(value) => Ok(DataAnswer { value, model, records }),
            Err(problem) => Err(AskError::Model { model, error: ModelError::Invalid(problem), attempts: 2 }),
        }
    }

    async fn ask_by_any_means(&self, request: &mut Request, about: &CallSubject) -> Result<Answer, AskError> {
        let model = self.model_of(request.role).id().to_owned();
        loop {
            let known = self.known_means(&model);
            let ResponseFormat::Data { means, .. } = &mut request.form else {
                return self.ask(request, about.clone()).await;
            };
            *means = known.max(*means);
            let tried = *means;
            let less = match (self.ask(request, about.clone()).await, tried) {
                (Err(AskError::Model { error: ModelError::Unsupported(_), .. }), DataMode::Schema) => {
                    DataMode::Object
                }
                (Err(AskError::Model { error: ModelError::Unsupported(_), .. }), DataMode::Object) => {
                    DataMode::Words
                }
                (other, DataMode::Schema | DataMode::Object | DataMode::Words) => return other,
            };
            self.inner.means.lock().unwrap_or_else(PoisonError::into_inner).insert(model.clone(), less);
        }
    }

    fn known_means(&self, model: &str) -> DataMode {
        let means = self.inner.means.lock().unwrap_or_else(PoisonError::into_inner);
        means.get(model).copied().unwrap_or(DataMode::Schema)
    }
}

/// Moves an answer's record to `records`, and returns its text and its model's id.
fn move_record_out(answer: Answer, records: &mut Vec<CallRecord>) -> (String, String) {
    records.push(answer.record);
    (answer.response.text, answer.model)
}

/// Parses an answer: the first JSON object in it that is what was asked for, since models put words, a code fence or the
/// schema around it. The error is worded for the model.
fn parse_answer<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let mut problem = None;
    for value in json_objects(text).take(MOST_OBJECTS) {
        match serde_json::from_value(visible::clean_value(value)) {
            Ok(value) => return Ok(value),
            Err(error) => problem = problem.or(Some(error.to_string())),
        }
    }
    Err(problem.unwrap_or_else(|| "it holds no JSON object".to_owned()))
}

/// The complete JSON objects in a text, each of which begins behind the one before. Half of a surrogate pair in them is
/// U+FFFD.
fn json_objects(text: &str) -> impl Iterator<Item = Value> {
    let text = whole_characters(text.as_bytes()).into_owned();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            from += text.get(from..)?.iter().position(|byte| *byte == b'{')?;
            let mut stream = serde_json::Deserializer::from_slice(text.get(from..)?).into_iter::<Value>();
            if let Some(Ok(value)) = stream.next() {
                from += stream.byte_offset();
                return Some(value);
            }
            from += 1;
        }
    })
}
