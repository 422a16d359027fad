//! The demo in the terminal: imports the sample, has it remembered, and prints the results.

use std::path::Path;

use myao_companion::keeper::{RoundPolicy, Start};

use super::{
    super::{Done, Failure, build, import, output, prompt, show, status},
    Sample,
};
use crate::app::App;

pub(super) async fn play_in_terminal(app: &App, sample: &Sample, export: &Path) -> Result<Done, Failure> {
    let heading = |text: &str| output::print_line(&format!("\n───── {text} ─────\n"));
    heading("1. A workspace of three weeks is imported");
    import::print_outcome(app, &import::read_export(app, export, false).await?).await?;

    heading("2. Its talk is cut into chapters, and these are remembered");
    let policy = RoundPolicy { start: Start::FirstArchived, retry_now: true, workspace_now: true };
    let built = build::build_with_progress(app, policy).await?;
    build::print_report(&built);
    output::print_line("");
    status::run(app, false).await?;

    heading(&format!("3. The chapters of {}", sample.channel));
    show::print_log(app, &show::MemoryLogArgs::of(sample.channel)).await?;

    heading("4. What it remembers for long");
    show::show_long_term(app, sample.channel).await?;
    output::print_line("");
    show::print_workspace(app, false).await?;

    heading(&format!("5. The prompt a reply in {} would be made from", sample.channel));
    let place = prompt::find_place(app, sample.channel).await?;
    let own = place.channel.clone();
    let prompt = prompt::prompt_of_reply(app, place, true, None).await?;
    let names = prompt::names_of_channels(app, &prompt).await?;
    prompt::print_with_costs(&prompt, &names, app.config.prompt.max_tokens, &own);
    heading(
        "What was said in the private channel is in none of this: it is remembered for its own people only.",
    );
    Ok(Done::All)
}
