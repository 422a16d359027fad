//! Asks which model is to write: one that answers on this machine, one of a provider, or none.

use std::path::Path;

use myao_config::{ModelId, find_variable};
use myao_model::{
    LocalModel, Proxies, address_of_server, find_local_models, http_client_through, key_variable,
    names_common_first,
};

use super::{
    super::{
        Failure, output,
        setup::{Questions, SecretVariable},
    },
    choices::ChosenModel,
    prices,
};

/// Providers that are offered by name, each with a model to begin with.
const OFFERED: [(&str, &str); 3] = [
    ("OpenAI", "openai/gpt-5.4-mini"),
    ("Anthropic", "anthropic/claude-haiku-4-5"),
    ("Gemini", "gemini/gemini-3.6-flash"),
];
/// The variable of a key whose provider has no usual one.
const OTHER_KEY: &str = "MYAO_MODEL_KEY";
/// Where a server of this machine is.
const LOOPBACK: [&str; 3] = ["http://localhost", "http://127.0.0.1", "http://[::1]"];

/// What the options say of the model.
pub(super) struct GivenModel<'a> {
    pub(super) model: Option<&'a ModelId>,
    pub(super) api_base: Option<&'a str>,
    /// Servers to look at beside the usual ports.
    pub(super) servers: &'a [String],
    /// Variables whose keys did not do.
    pub(super) refused: &'a [String],
}

/// Which model is to write; `None` for `builtin`. A key that is new is added to `secrets`.
pub(super) async fn choose_model(
    questions: &Questions,
    config: &Path,
    given: &GivenModel<'_>,
    secrets: &mut Vec<SecretVariable>,
) -> Result<Option<ChosenModel>, Failure> {
    let picked = match given.model {
        Some(ModelId::Builtin) => None,
        Some(id) => Some(PickedModel { id: id.clone(), api_base: given.api_base.map(str::to_owned) }),
        None if !questions.is_answered => None,
        None => pick_from_list(questions, given.servers).await?,
    };
    let Some(picked) = picked else { return Ok(None) };
    let key_variable = find_or_ask_key(questions, config, &picked, given.refused, secrets)?;
    let is_local = is_local(picked.base());
    let PickedModel { id, api_base } = picked;
    Ok(Some(ChosenModel { id, api_base, is_local, key_variable, daily_tokens: None }))
}

/// A model, and where it is if not at its provider's own server.
struct PickedModel {
    id: ModelId,
    api_base: Option<String>,
}

impl PickedModel {
    fn provider(&self) -> &str {
        match &self.id {
            ModelId::Provider { provider, .. } => provider,
            ModelId::Builtin => "",
        }
    }

    /// The address of its server, where that is known.
    fn base(&self) -> &str {
        self.api_base.as_deref().or_else(|| address_of_server(self.provider())).unwrap_or_default()
    }
}

async fn pick_from_list(questions: &Questions, servers: &[String]) -> Result<Option<PickedModel>, Failure> {
    let words = &questions.words;
    questions.tell("init-model-searching");
    let local = models_here(servers).await?;
    let mut items: Vec<String> = local.iter().map(|model| local_in_words(questions, model)).collect();
    items
        .extend(OFFERED.map(|(provider, _)| {
            words.say_with("init-model-provider", &[("provider", provider.to_owned())])
        }));
    items.push(words.say("init-model-other"));
    items.push(words.say("init-model-builtin"));
    // A model of this machine costs nothing; without one, neither does `builtin`.
    let first = if local.is_empty() { items.len() - 1 } else { 0 };
    let number = questions.choose(&words.say("init-model"), &items, first)?;
    if let Some(model) = local.get(number) {
        let id = ModelId::parse(&model.model_id);
        return Ok(id.map(|id| PickedModel { id, api_base: model.api_base.clone() }));
    }
    let number = number - local.len();
    if let Some((_, usual)) = OFFERED.get(number) {
        let id = ask_model_id(questions, usual)?;
        return Ok(Some(PickedModel { id, api_base: None }));
    }
    if number > OFFERED.len() {
        return Ok(None);
    }
    let id = ask_model_id(questions, "")?;
    let complaint = words.say("init-model-address-wrong");
    let is_address =
        |said: &str| said.is_empty() || said.starts_with("http://") || said.starts_with("https://");
    let address = questions.ask(&words.say("init-model-address"), "", &complaint, |said| {
        is_address(said).then(|| said.to_owned())
    })?;
    Ok(Some(PickedModel { id, api_base: Some(address).filter(|address| !address.is_empty()) }))
}

async fn models_here(servers: &[String]) -> Result<Vec<LocalModel>, Failure> {
    let client =
        http_client_through(Proxies::read(|_| None)).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(find_local_models(&client, servers).await)
}

fn local_in_words(questions: &Questions, model: &LocalModel) -> String {
    let place = model.api_base.clone().unwrap_or_else(|| "Ollama".to_owned());
    let arguments = [("model", output::with_visible_controls(&model.model_id)), ("where", place)];
    questions.words.say_with("init-model-local", &arguments)
}

fn ask_model_id(questions: &Questions, usual: &str) -> Result<ModelId, Failure> {
    let providers = names_common_first().collect::<Vec<_>>().join(", ");
    let complaint = questions.words.say_with("init-model-name-wrong", &[("providers", providers)]);
    questions.ask(&questions.words.say("init-model-name"), usual, &complaint, |said| {
        let id = ModelId::parse(said)?;
        let ModelId::Provider { provider, .. } = &id else { return None };
        let is_known = names_common_first().any(|name| name == provider);
        (is_known && id.instead().is_none()).then_some(id)
    })
}

/// The variable of the key. It is asked for where none is set; a server of one's own may do without.
fn find_or_ask_key(
    questions: &Questions,
    config: &Path,
    picked: &PickedModel,
    refused: &[String],
    secrets: &mut Vec<SecretVariable>,
) -> Result<Option<String>, Failure> {
    let provider = picked.provider();
    if is_local(picked.base()) {
        return Ok(None);
    }
    let variable = key_variable(provider).unwrap_or(OTHER_KEY);
    let is_refused = refused.iter().any(|name| name == variable);
    // What the environment has wins over `.env`, so another key there would help nobody.
    if find_variable(config, variable)?.is_some_and(|found| found.in_environment || !is_refused) {
        questions.tell_with("init-token-found", &[("variable", variable.to_owned())]);
        return Ok(Some(variable.to_owned()));
    }
    let prompt = questions.words.say_with("init-key", &[("variable", variable.to_owned())]);
    match questions.ask_hidden(&prompt)? {
        Some(value) => {
            secrets.push(SecretVariable { name: variable.to_owned(), value });
            Ok(Some(variable.to_owned()))
        }
        None if picked.api_base.is_some() => Ok(None),
        None => Err(Failure::usage(format!(
            "{} needs a key: set {variable} in the environment or in .env, and begin again; nothing was written",
            picked.id
        ))),
    }
}

/// Whether a server is on this machine, and so costs nothing.
fn is_local(address: &str) -> bool {
    let is_on = |host: &str| {
        address.strip_prefix(host).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '/']))
    };
    LOOPBACK.into_iter().any(is_on)
}

/// How many tokens a day the model may use, with what that costs; `None`: no limit.
pub(super) fn ask_budget(
    questions: &Questions,
    model: &ChosenModel,
    given: Option<u64>,
) -> Result<Option<u64>, Failure> {
    let words = &questions.words;
    let named = ("model", model.id.to_string());
    if given.is_none() && model.is_local {
        questions.tell("init-budget-local");
        return Ok(None);
    }
    let usual = given.unwrap_or(prices::DAILY_TOKENS);
    match prices::price_of(&model.id) {
        Some(price) => questions.tell_with(
            "init-budget-price",
            &[
                named,
                ("input", format!("{:.2}", price.input)),
                ("output", format!("{:.2}", price.output)),
                ("as-of", prices::AS_OF.to_owned()),
                ("tokens", usual.to_string()),
                ("cost", format!("{:.2}", price.of_a_day(usual))),
            ],
        ),
        None => questions.tell_with("init-budget-no-price", &[named]),
    }
    if given.is_some() {
        return Ok(given.filter(|tokens| *tokens > 0));
    }
    let complaint = words.say("init-budget-wrong");
    let tokens = questions.ask(&words.say("init-budget"), &usual.to_string(), &complaint, |said| {
        said.replace([',', '_', ' '], "").parse::<u64>().ok()
    })?;
    Ok(Some(tokens).filter(|tokens| *tokens > 0))
}
