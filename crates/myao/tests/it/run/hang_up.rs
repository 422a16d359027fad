//! SIGHUP: the configuration is read again beside a run that goes on.

use std::{
    fs::File,
    process::{Command, Stdio},
    time::Instant,
};

use myao_testkit::llm::{FakeProvider, Reply};

use super::{LONG, Running, World, look_again, with_provider};

/// Starts the program with stderr in a file.
async fn start(world: &World) -> Running {
    let before = world.slack.seen().connected;
    let log = File::create(world.home.path("log")).expect("a file");
    let child = world.home.command(&["run"]).stderr(log).stdout(Stdio::null()).spawn().expect("it starts");
    world.slack.wait_until(|seen| seen.connected > before).await;
    Running(child)
}

fn hang_up(running: &Running) {
    let id = running.0.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &id]).status().expect("kill").success());
}

fn log(world: &World) -> String {
    std::fs::read_to_string(world.home.path("log")).expect("the log")
}

/// Waits for the log to hold a line, which nobody tells of.
async fn logged(world: &World, line: &str) {
    let began = Instant::now();
    while !log(world).contains(line) {
        assert!(began.elapsed() < LONG, "no line with `{line}`: {}", log(world));
        look_again().await;
    }
}

/// Replaces a part of the configuration, with what is behind it.
fn rewrite(world: &World, yaml: &str) {
    world.home.write("config.yaml", yaml);
}

fn yaml(world: &World) -> String {
    std::fs::read_to_string(world.home.path("config.yaml")).expect("the file")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_change_holds_from_the_next_message_on_and_the_log_says_what() {
    let provider = FakeProvider::answering([
        Reply::text("One."),
        Reply::text("Two."),
        Reply::text("Three."),
        Reply::text("Four."),
    ])
    .await;
    let persona = "persona: {name: mia, system_prompt: 'Pfingstrose secret words'}\n";
    let world = World::with(&with_provider(&provider, persona)).await;
    let running = start(&world).await;
    world.mention("first?");
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    let before = yaml(&world);
    let changed = before
        .replace("Pfingstrose secret words", "Sonnenblume other words")
        .replace("shutdown_seconds: 20\n", "")
        + "prompt: {max_tokens: 6000}\nlogging: {level: DEBUG}\nshutdown_seconds: 9\nweb: {password: 'geheim-geheim-geheim'}\n";
    rewrite(&world, &changed);
    hang_up(&running);
    logged(&world, "this needs a restart: web.password: left out → text").await;
    let log_now = log(&world);
    for line in [
        "INFO myao::cli::reloading: the configuration was read again, and this holds from now on: logging.level: left out → DEBUG",
        "this holds from now on: persona.system_prompt: text → another one",
        "this holds from now on: prompt.max_tokens: left out → 6000",
        "WARN myao::cli::reloading: the configuration was read again; this needs a restart: shutdown_seconds: left out → 9",
    ] {
        assert!(log_now.contains(line), "{line}: {log_now}");
    }
    for word in ["Pfingstrose", "Sonnenblume", "geheim"] {
        assert!(!log_now.contains(word), "{word}: {log_now}");
    }
    world.mention("second?");
    world.slack.wait_until(|seen| seen.posts.len() == 2).await;
    let bodies: Vec<String> = provider.calls().iter().map(|call| call.body.to_string()).collect();
    assert!(
        bodies[0].contains("Pfingstrose secret words") && !bodies[0].contains("Sonnenblume"),
        "{bodies:?}"
    );
    assert!(
        bodies[1].contains("Sonnenblume other words") && !bodies[1].contains("Pfingstrose"),
        "{bodies:?}"
    );
    // The last line that a quieter log still has tells that it will be quiet.
    rewrite(&world, &changed.replace("level: DEBUG", "level: ERROR"));
    hang_up(&running);
    logged(&world, "logging.level: DEBUG → ERROR").await;
    rewrite(&world, &changed.replace("level: DEBUG", "level: ERROR").replace("6000", "6500"));
    hang_up(&running);
    world.mention("quietly?");
    world.slack.wait_until(|seen| seen.posts.len() == 3).await;
    rewrite(&world, &before);
    hang_up(&running);
    logged(&world, "logging.level: ERROR → left out").await;
    assert!(!log(&world).contains("6000 → 6500"), "{}", log(&world));
    world.mention("third?");
    world.slack.wait_until(|seen| seen.posts.len() == 4).await;
    assert!(provider.calls()[3].body.to_string().contains("Pfingstrose secret words"));
    assert_eq!(running.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broken_file_changes_nothing() {
    let provider = FakeProvider::answering([Reply::text("One.")]).await;
    let persona = "persona: {name: mia, system_prompt: Pfingstrose}\n";
    let world = World::with(&with_provider(&provider, persona)).await;
    let running = start(&world).await;
    let before = yaml(&world);
    for (text, said) in [
        (
            before.replace("Pfingstrose", "Sonnenblume") + "prompt: {max_tokens: many}\n",
            "prompt.max_tokens: expected",
        ),
        ("slack: [".to_owned(), "no valid YAML"),
        (before.replace("bot_token: ", "bot_tokn: "), "unknown key"),
        (String::new(), "the file holds no keys"),
    ] {
        rewrite(&world, &text);
        hang_up(&running);
        logged(&world, said).await;
    }
    std::fs::remove_file(world.home.path("config.yaml")).expect("removed");
    hang_up(&running);
    logged(&world, "slack.bot_token: missing").await;
    let stays =
        log(&world).matches("the configuration is not taken over, and everything stays as it is").count();
    assert_eq!(stays, 5, "{}", log(&world));
    world.mention("still there?");
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    assert!(provider.only_call().body.to_string().contains("Pfingstrose"));
    rewrite(&world, &before);
    hang_up(&running);
    logged(&world, "nothing in it has changed").await;
    assert_eq!(running.stop(), Some(0));
}

/// An answer that is being written is given, once, and as it was begun.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_up_during_a_reply_loses_nothing() {
    let provider = FakeProvider::answering([Reply::text("One.").held(), Reply::text("Two.")]).await;
    let world = World::with(&with_provider(&provider, "budget: {daily_tokens: 1000000}\n")).await;
    let running = start(&world).await;
    world.mention("first?");
    provider.asked(1).await;
    let before = yaml(&world);
    for nth in 0..100 {
        rewrite(
            &world,
            &before.replace("daily_tokens: 1000000", &format!("daily_tokens: {}", 1_000_001 + nth)),
        );
        hang_up(&running);
    }
    logged(&world, "→ 1000100").await;
    provider.release();
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    world.mention("second?");
    world.slack.wait_until(|seen| seen.posts.len() == 2).await;
    assert_eq!(provider.calls().len(), 2, "nothing was asked twice");
    let posts: Vec<String> = world.slack.posts().into_iter().map(|post| post.text).collect();
    assert_eq!(posts, ["One.", "Two."]);
    assert_eq!(running.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_prompts_are_read_again() {
    let provider = FakeProvider::answering([Reply::text("One."), Reply::text("Two.")]).await;
    let world = World::with(&with_provider(&provider, "prompt: {dir: own}\n")).await;
    let reply = include_str!("../../../../../prompts/en/reply.md");
    let minding =
        |what: &str| reply.replacen("{% endblock %}", &format!("Mind the {what}.\n{{% endblock %}}"), 1);
    world.home.write("own/reply.md", minding("tulips"));
    let running = start(&world).await;
    world.mention("first?");
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    world.home.write("own/reply.md", "{{ broken");
    hang_up(&running);
    logged(&world, "everything stays as it is: prompt `reply.md` cannot be read").await;
    world.home.write("own/reply.md", minding("roses"));
    hang_up(&running);
    logged(&world, "the prompts in prompt.dir were read again").await;
    world.mention("second?");
    world.slack.wait_until(|seen| seen.posts.len() == 2).await;
    let bodies: Vec<String> = provider.calls().iter().map(|call| call.body.to_string()).collect();
    assert!(bodies[0].contains("Mind the tulips.") && bodies[1].contains("Mind the roses."), "{bodies:?}");
    assert_eq!(running.stop(), Some(0));
}

/// A budget that is used up is raised, and what waited for it goes on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_budget_can_be_raised() {
    let provider = FakeProvider::answering([Reply::text("One.")]).await;
    let world = World::with(&with_provider(&provider, "budget: {daily_tokens: 1}\n")).await;
    let running = start(&world).await;
    world.mention("first?");
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    assert_eq!(provider.calls().len(), 0, "there is an excuse");
    rewrite(&world, &yaml(&world).replace("daily_tokens: 1}", "daily_tokens: 1000000}"));
    hang_up(&running);
    logged(&world, "budget.daily_tokens: 1 → 1000000").await;
    world.mention("second?");
    world.slack.wait_until(|seen| seen.posts.len() == 2).await;
    assert_eq!(provider.calls().len(), 1);
    assert_eq!(running.stop(), Some(0));
}

/// A terminal that is closed sends SIGHUP, too: nobody sees any more what the run says, or could end it by Ctrl-C.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_ends_with_the_terminal_that_it_was_started_from() {
    let world = World::new().await;
    let program = world.home.command(&["run"]).get_program().to_string_lossy().into_owned();
    let in_a_terminal = format!("echo $$ > pid; exec '{program}' run");
    let mut terminal = Command::new("script");
    terminal.args(["-qfc", &in_a_terminal, "shown"]).current_dir(world.home.path(""));
    terminal.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut terminal = terminal.spawn().expect("script starts");
    world.slack.wait_until(|seen| seen.connections > 0).await;
    let run = std::fs::read_to_string(world.home.path("pid")).expect("its id");
    let run = run.trim();
    let is_there = || std::path::Path::new("/proc").join(run).join("cmdline").exists();
    // A hang-up alone does not end it.
    assert!(Command::new("kill").args(["-HUP", run]).status().expect("kill").success());
    let shown = || std::fs::read_to_string(world.home.path("shown")).unwrap_or_default();
    let began = Instant::now();
    while !shown().contains("the configuration was read again") {
        assert!(began.elapsed() < LONG, "{}", shown());
        look_again().await;
    }
    terminal.kill().expect("killed");
    terminal.wait().expect("it ends");
    let began = Instant::now();
    while is_there() {
        if began.elapsed() > LONG {
            Command::new("kill").args(["-KILL", run]).status().expect("kill");
            panic!("it goes on without its terminal: {}", shown());
        }
        look_again().await;
    }
    world.slack.wait_until(|seen| seen.connections == 0).await;
}
