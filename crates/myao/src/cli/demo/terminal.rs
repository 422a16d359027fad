//! The demo in the terminal: imports the sample, has it remembered, and prints the results.

use std::path::Path;

use myao_companion::keeper::{RoundPolicy, Start};

use super::{
    super::{Done, Failure, build, import, output, prompt, show, status},
    Sample,
};
use crate::app::App;

pub(super) async fn play(app: &App, sample: &Sample, export: &Path) -> Result<Done, Failure> {
    let heading = |text: &str| output::say(&format!("\n───── {text} ─────\n"));
    heading("1. A workspace of three weeks is imported");
    import::tell(app, &import::import(app, export, false).await?).await?;

    heading("2. Its talk is cut into chapters, and these are remembered");
    let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
    let built = build::build(app, policy).await?;
    build::tell(&built);
    output::say("");
    status::run(app, false).await?;

    heading(&format!("3. The chapters of {}", sample.channel));
    show::log(app, &show::MemoryLogArgs::of(sample.channel)).await?;

    heading("4. What it remembers for long");
    show::show_long_term(app, sample.channel).await?;
    output::say("");
    show::show_workspace(app, false).await?;

    heading(&format!("5. The prompt a reply in {} would be made from", sample.channel));
    let place = prompt::place(app, sample.channel).await?;
    let own = place.channel.clone();
    let prompt = prompt::reply(app, place, true, None).await?;
    let names = prompt::names(app, &prompt).await?;
    prompt::tell(&prompt, &names, app.config.prompt.max_tokens, &own);
    heading(
        "What was said in the private channel is in none of this: it is remembered for its own people only.",
    );
    Ok(Done::All)
}
