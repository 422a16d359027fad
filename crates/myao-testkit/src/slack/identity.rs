//! Who is who in the fake workspace, and what opens it. The tokens open nothing else.

/// The workspace.
pub(super) const TEAM: &str = "T0FAKETEAM";
/// Its name.
pub(super) const TEAM_NAME: &str = "Fake";
/// Its address, the start of permalinks.
pub(super) const TEAM_URL: &str = "https://fake.slack.com/";
/// The app.
pub(super) const APP: &str = "A0FAKEAPP1";
/// The app's bot user.
pub(super) const BOT_USER: &str = "U0FAKEBOT1";
/// The same as a bot.
pub(super) const BOT: &str = "B0FAKEBOT1";
/// What the bot is called.
pub(super) const BOT_NAME: &str = "myao";
/// Whoever speaks when Slack itself does.
pub(super) const SLACKBOT: &str = "USLACKBOT";
/// The bot token.
pub(super) const BOT_TOKEN: &str = "xoxb-fake-0001-loopback";
/// The app-level token.
pub(super) const APP_TOKEN: &str = "xapp-1-A0FAKEAPP1-0001-loopback";
/// What the bot token allows.
pub(super) const BOT_SCOPES: [&str; 21] = [
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:join",
    "channels:manage",
    "channels:read",
    "chat:write",
    "files:read",
    "groups:history",
    "groups:read",
    "groups:write",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "mpim:write",
    "reactions:read",
    "reactions:write",
    "team:read",
    "users:read",
];
