//! Lets a model answer from the prompts, and compares its answers with the right ones.

use std::{collections::HashMap, error::Error, fmt::Write as _, fs};

use myao::app::App;
use myao_companion::{
    ask::{Asker, CallSubject, share_of},
    companion::{ComposedPrompt, PlaceSnapshot},
};
use myao_config::{Config, ModelId};
use myao_core::{chat::ChannelId, ports::Role, prompt::REPLY_TOKENS, text::is_japanese};

/// Words that do not count in a comparison.
const ARTICLES: [&str; 3] = ["a", "an", "the"];

/// Words of an answer that says that nobody said it: those of builtin, and those that models use.
const NOT_KNOWN: [&str; 22] = [
    "don't know",
    "don’t know",
    "do not know",
    "not know",
    "nobody said",
    "no one said",
    "nobody has said",
    "no one has said",
    "not mentioned",
    "no mention",
    "no record",
    "no information",
    "couldn't find",
    "could not find",
    "can't find",
    "didn't find",
    "わかりません",
    "分かりません",
    "わからない",
    "見つかりません",
    "言っていません",
    "記録がありません",
];

/// The model that answers.
pub(crate) struct Answering {
    asker: Asker,
}

impl Answering {
    /// The model that a configuration has answers written by.
    pub(crate) fn of(app: &App) -> Result<Self, Box<dyn Error>> {
        Ok(Self { asker: app.asker().map_err(|failure| failure.to_string())? })
    }

    /// What it answers to a prompt, without tools.
    pub(crate) async fn answer(
        &self,
        place: &PlaceSnapshot<'_>,
        mut composed: ComposedPrompt,
        channel: &ChannelId,
    ) -> Result<String, Box<dyn Error>> {
        if self.asker.model_id(Role::Response) == ModelId::Builtin.to_string() {
            place.show_all(&mut composed);
        }
        let about = CallSubject { channel: Some(channel.clone()), ..CallSubject::default() };
        let request = composed.prompt.into_request(REPLY_TOKENS);
        Ok(self.asker.ask(&request, about).await?.response.text)
    }
}

/// A configuration in which this model has a role. Its key comes from the variable in which everybody keeps it.
pub(crate) fn named(role: Role, model: &str) -> Result<Config, Box<dyn Error>> {
    let mut yaml =
        format!("agents:\n  {}:\n    model_id: {}\n", role.as_str(), serde_json::to_string(model)?);
    let provider = model.split('/').next().unwrap_or_default();
    if let Some(variable) = myao_model::key_variable(provider) {
        writeln!(yaml, "    client_args:\n      api_key: ${{{variable}}}")?;
    }
    // Read as a file, as for everybody.
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("config.yaml");
    fs::write(&file, yaml)?;
    Ok(Config::load(Some(&file))?.config)
}

/// Sets how many tokens the models of a configuration may use. One that costs something needs a limit.
pub(crate) fn limited(config: &mut Config, max_tokens: Option<u64>) -> Result<(), Box<dyn Error>> {
    let agents = &config.agents;
    let costs =
        [&agents.memory, &agents.response].into_iter().any(|agent| agent.model_id != ModelId::Builtin);
    if costs && max_tokens.is_none() {
        return Err("a model that costs something needs a limit: --max-tokens".into());
    }
    // Memories may use a share of the day's tokens only, so the limit is made so much larger.
    let share = share_of(Role::Memory);
    config.budget.daily_tokens = max_tokens.map(|tokens| tokens.saturating_mul(100) / share);
    Ok(())
}

/// The words of an answer that are compared; in Japanese each character is one.
fn words(text: &str) -> Vec<String> {
    let folded = text.to_lowercase();
    let mut words: Vec<String> = Vec::new();
    for part in folded.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
        if is_japanese(part) == Some(true) {
            words.extend(part.chars().map(String::from));
        } else if !ARTICLES.contains(&part) {
            words.push(part.to_owned());
        }
    }
    words
}

/// The harmonic mean of precision and recall of an answer's words, by the right answer that it is most like.
pub(crate) fn f1(answer: &str, right: &[String]) -> f64 {
    let said = words(answer);
    let of_one = |right: &String| {
        let mut wanted: HashMap<String, usize> = HashMap::new();
        let words = words(right);
        for word in &words {
            *wanted.entry(word.clone()).or_default() += 1;
        }
        let is_wanted =
            |word: &&String| wanted.get_mut(*word).filter(|left| **left > 0).map(|left| *left -= 1).is_some();
        let shared = said.iter().filter(is_wanted).count();
        real(2 * shared) / real((said.len() + words.len()).max(1))
    };
    right.iter().map(of_one).fold(0.0, f64::max)
}

/// Whether an answer has all words of one of the right answers, in their order and together.
pub(crate) fn says(answer: &str, right: &[String]) -> bool {
    let said = words(answer);
    let has = |right: &String| {
        let wanted = words(right);
        !wanted.is_empty() && said.windows(wanted.len()).any(|some| some == wanted)
    };
    right.iter().any(has)
}

/// Whether an answer says that nobody said it.
pub(crate) fn says_unknown(answer: &str) -> bool {
    let folded = answer.to_lowercase();
    NOT_KNOWN.iter().any(|words| folded.contains(words))
}

fn real(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
