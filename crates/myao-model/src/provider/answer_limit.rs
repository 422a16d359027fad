//! Computes the limit of an answer in tokens (ADR 17).

use myao_core::ports::{Request, Role};
use serde_json::Value;

use super::{
    effort::Effort,
    habits::{ModelHabit, THOUGHTS},
    params::ModelParams,
};

/// Models that think unless told not to.
const THINKERS: [&str; 8] =
    ["gpt-5", "gpt-6", "o1", "o3", "o4", "gemini-2.5", "gemini-3", "deepseek-reasoner"];

/// The most tokens the answer may have: twice the target (specification §2.2), and room for thoughts, as configured or
/// as its answers have shown. The configuration may set another limit, except for memories (specification §2.4); room
/// is added to it once thoughts have used it up.
pub(super) fn most_tokens(request: &Request, params: &ModelParams, model: &str, habit: ModelHabit) -> u32 {
    let configured = most_thought_tokens(params, model);
    // A number of the owner's is enough until thoughts have used it up.
    let is_enough = configured > 0 && !habit.ran_out;
    let room = if is_enough { configured } else { configured.max(habit.room) };
    let ours = most_word_tokens(request).saturating_add(room);
    let limit = match (request.role, params.max_tokens) {
        (Role::Memory, _) | (_, None) => ours,
        (Role::Response | Role::Judgment, Some(limit)) if habit.ran_out => limit.saturating_add(habit.room),
        (Role::Response | Role::Judgment, Some(limit)) => limit,
    };
    limit.saturating_add(request.extra_tokens)
}

/// The most tokens of an answer's words. Providers count thoughts into the limit: with the words' alone, a model that
/// thinks would use it up before its first word.
pub(super) fn most_word_tokens(request: &Request) -> u32 {
    request.target_tokens.saturating_mul(2)
}

/// The configured limit of an answer (`max_tokens`), if it is so low that the thoughts may use it up, for a model that is
/// known to think or was `seen` to; `None` otherwise.
pub(super) fn too_low(params: &ModelParams, model: &str, seen: bool) -> Option<u32> {
    let is_off = params.effort == Some(Effort::None);
    let thoughts = most_thought_tokens(params, model).max(if seen && !is_off { THOUGHTS } else { 0 });
    params.max_tokens.filter(|limit| *limit < thoughts)
}

fn most_thought_tokens(params: &ModelParams, model: &str) -> u32 {
    let told = ["thinking", "thinking_config", "thinkingConfig"].iter().find_map(|key| params.rest.get(*key));
    match (&params.effort, told) {
        (Some(Effort::None), _) => 0,
        (Some(Effort::Tokens(tokens)), _) => *tokens,
        (_, Some(told)) => tokens_for_thoughts(told),
        (Some(_), None) => THOUGHTS,
        (None, None) => {
            let name = model.rsplit_once('/').map_or(model, |(_, name)| name);
            let thinks = THINKERS.iter().any(|thinker| name.starts_with(thinker));
            if thinks { THOUGHTS } else { 0 }
        }
    }
}

/// The tokens for thoughts that a provider's own parameter allows.
fn tokens_for_thoughts(told: &Value) -> u32 {
    let places = ["budget_tokens", "thinking_budget", "thinkingBudget"];
    let tokens = places.iter().find_map(|place| told.get(place)?.as_u64());
    match tokens {
        Some(tokens) => u32::try_from(tokens).unwrap_or(THOUGHTS),
        None if told.get("type").and_then(Value::as_str) == Some("disabled") => 0,
        None => THOUGHTS,
    }
}
