//! The ids, names and tokens of the fake workspace. The tokens are of no use anywhere else.

/// The id of the workspace.
pub(super) const TEAM: &str = "T0FAKETEAM";
/// The name of the workspace.
pub(super) const TEAM_NAME: &str = "Fake";
/// The address of the workspace, with which permalinks begin.
pub(super) const TEAM_URL: &str = "https://fake.slack.com/";
/// The id of the app.
pub(super) const APP: &str = "A0FAKEAPP1";
/// The id of the app's bot user.
pub(super) const BOT_USER: &str = "U0FAKEBOT1";
/// The id of the same bot, as a bot.
pub(super) const BOT: &str = "B0FAKEBOT1";
/// The name of the bot.
pub(super) const BOT_NAME: &str = "myao";
/// The id of the user that speaks for Slack itself.
pub(super) const SLACKBOT: &str = "USLACKBOT";
/// The bot token.
pub(super) const BOT_TOKEN: &str = "xoxb-fake-0001-loopback";
/// The app-level token.
pub(super) const APP_TOKEN: &str = "xapp-1-A0FAKEAPP1-0001-loopback";
/// The scopes of the bot token.
pub(super) const BOT_SCOPES: [&str; 22] = [
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:join",
    "channels:manage",
    "channels:read",
    "chat:write",
    "commands",
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
