//! Puts questions to prompts, and measures what these hold.

use std::{error::Error, fs, path::Path};

use myao::app::App;
use myao_companion::{
    companion::Companion,
    tools::{estimate_specs, specs_of_reply},
};
use myao_core::{prompt::Fragments, wording::PromptTask};

use crate::{
    Measurement,
    answering::Answering,
    held,
    questions::{Question, Wanted},
    report::Reached,
};

/// What questions are put to.
pub(crate) struct Asking<'a> {
    companion: Companion<'a>,
    /// Tokens of the tools that a reply is offered.
    tools: usize,
    answering: Option<Answering>,
    sizes: &'a [usize],
    texts: Option<&'a Path>,
}

impl<'a> Asking<'a> {
    /// Prompts of these sizes from what a database holds.
    pub(crate) fn of(
        app: &App,
        companion: Companion<'a>,
        measurement: &'a Measurement,
    ) -> Result<Self, Box<dyn Error>> {
        let web = app.web().map_err(|failure| failure.to_string())?;
        let tools = estimate_specs(&specs_of_reply(app.config.locale.language, &web, true));
        let answering = measurement.model.as_ref().map(|_| Answering::of(app)).transpose()?;
        let Measurement { budgets, texts, .. } = measurement;
        Ok(Self { companion, tools, answering, sizes: budgets, texts: texts.as_deref() })
    }
}

/// What the prompts of these questions hold, for each size.
pub(crate) async fn reached(
    asking: &Asking<'_>,
    questions: &[Question],
) -> Result<Vec<Reached>, Box<dyn Error>> {
    let mut all = Vec::new();
    for size in asking.sizes {
        let mut reached = Reached::at(*size, asking.tools);
        for (nth, question) in questions.iter().enumerate() {
            let place = question.place(asking.companion, *size).await?;
            let fragments = Fragments { tool_tokens: asking.tools, ..Fragments::default() };
            let composed = place.compose(PromptTask::REPLY, fragments, *size)?;
            let prompt = &composed.prompt;
            if let Some(folder) = asking.texts {
                fs::create_dir_all(folder)?;
                let text = format!("{}\n\n{}", prompt.system, prompt.user);
                fs::write(folder.join(format!("{size}-{nth}.txt")), text)?;
            }
            match &question.wanted {
                Wanted::Said { evidence, .. } => {
                    let (own, text) = (&question.channel.name, &question.text);
                    let mut held = held::measure(prompt, own, text, evidence);
                    held.all_tokens += asking.tools;
                    let nothing: Vec<bool> = evidence.iter().map(|one| one.shares_nothing(text)).collect();
                    reached.add(&held, &nothing);
                    reached.add_hits(question, &prompt.recalled, evidence);
                }
                Wanted::Unsaid | Wanted::Nothing => reached.add_hits(question, &prompt.recalled, &[]),
            }
            let Some(answering) = asking.answering.as_ref().filter(|_| question.has_known_answer()) else {
                continue;
            };
            let answer = answering.answer(&place, composed, &question.channel.id).await?;
            match &question.wanted {
                Wanted::Said { answers, .. } => reached.add_answer(&answer, answers),
                Wanted::Unsaid => reached.add_unsaid(&answer),
                Wanted::Nothing => {}
            }
            if let Some(folder) = asking.texts {
                fs::write(folder.join(format!("{size}-{nth}.answer.txt")), answer)?;
            }
        }
        all.push(reached);
    }
    Ok(all)
}
