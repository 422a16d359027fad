# `myao setup slack`

setup-begins =
    This sets up myao in Slack. It shows you the page that makes its app, asks
    for the app's two tokens and tries them. Then
      - { $env } gets the tokens (only you can read it; its other lines stay)
      - { $change }
      - everything is checked, as `myao check` does.
    Ctrl-C at a question leaves everything as it is.
setup-will-keep-file = { $file } stays as it is: it names them already
setup-will-change-file = { $file } gets the lines that name them; everything else in it stays
setup-will-make-file = { $file } is made: language, time zone, and the lines that name them
setup-page =
    This page of Slack makes the app, with everything filled in. It takes two
    minutes, and somebody who may install apps:
setup-open = Open it in the browser?
setup-copy =
    Copy the whole line into a browser. `myao setup slack --link` prints it alone.
setup-steps =
    There:
      1. Choose the workspace, Next, Create.
      2. Install App, Install to Workspace, Allow:
         copy the Bot User OAuth Token (xoxb-…).
      3. Basic Information, App-Level Tokens, Generate Token and Scopes: any name,
         the scope connections:write, Generate: copy the token (xapp-…).
    Paste both here, in any order; they are not shown. Enter alone leaves out what
    is missing, and the same command asks for it again.
setup-other-bot =
    The app-level token is set, so the app is there: { $page }
    Its page Install App has the Bot User OAuth Token (xoxb-…).
setup-other-app =
    The bot's token is set, so the app is there: { $page }
    Its page Basic Information, App-Level Tokens, Generate Token and Scopes makes
    the other one: any name, the scope connections:write, Generate (xapp-…).
setup-paste-either = Token (xoxb-… or xapp-…)
setup-paste-bot = Bot token (xoxb-…)
setup-paste-app = App-level token (xapp-…)
setup-token-of-person = That is a person's token (xoxp-…). myao needs the bot's: the app's page OAuth & Permissions, Bot User OAuth Token (xoxb-…).
setup-token-expires = That is a token of Slack's token rotation (xoxe…), which ends after 12 hours. Make a new app from this manifest, or one without token rotation; the right one is on the app's page OAuth & Permissions, Bot User OAuth Token (xoxb-…).
setup-token-foreign = That is none of the two. The bot's begins with xoxb- (page OAuth & Permissions, Bot User OAuth Token), the app-level one with xapp- (page Basic Information, App-Level Tokens).
setup-token-missing = { $variable } is missing: no token on standard input begins with { $begins }, and neither the environment nor .env has one. Nothing was written.
setup-token-in-environment = { $variable } is set in the environment, which wins over .env: change it there, or take it out (unset { $variable }). Nothing was written.
setup-app-is-there =
    Both tokens are set, and Slack was asked whether it takes them. After an update, what is new in the app's manifest is
    printed by `myao{ $config } setup slack --print`: paste it on { $page }, your app, App Manifest, and install the app again.
setup-replace = Put other tokens in their place?
setup-still-missing = Still missing: { $names }. `myao{ $config } setup slack` asks for it again.
setup-no-terminal =
    there is no terminal at which it could be asked. `--print` prints the app's manifest (`--json`: as JSON), `--link` the address of the page that makes it; `--stdin` reads the two tokens from standard input, as in: printf '%s\n' "$BOT" "$APP" | myao setup slack --stdin
setup-api-in-file = { $file } has a section slack: say slack.api_base_url there, and leave --slack-api out
setup-file-by-hand =
    { $file } says slack.bot_token or slack.app_token in a way that is not changed here. Write these lines below slack: and come again; nothing was written.
      bot_token: ${"{"}{ $bot }{"}"}
      app_token: ${"{"}{ $app }{"}"}
setup-file-head = Written by `myao setup slack`. What is left out has its default; config.yaml.example lists every key.

# The app's manifest

manifest-head =
    The Slack app of a myao, as `myao setup slack --print` makes it for what is switched on in config.yaml. On
    https://api.slack.com/apps choose "Create New App", "From a manifest", and paste it; or replace with it what stands on
    the page App Manifest of an app that is there. `myao setup slack` leads through the next steps.

    A manifest cannot hold the app-level token (xapp-…) with the scope `connections:write`. Make it on the page Basic
    Information.
manifest-messages-tab = Direct messages.
manifest-commands = Only for slack.commands.
manifest-rotation = A rotated token expires after twelve hours.
manifest-description = A friend who remembers.
manifest-agent-description = A friend who remembers what was said where you are, and says from when and whom it has it. Ask in your own words.
manifest-agent-view = Only for slack.agent_view.
manifest-command-description = Search what was said and is remembered; why, notes, forget, quiet
manifest-command-hint = recall WORDS | why WORDS | memo | forget LINK | status | quiet 2h | help
manifest-why-this = Why did you say this?
manifest-why-this-does = Why myao said it: who asked, what it was shown, which model
manifest-remember-this = Remember this
manifest-remember-this-does = Makes a note of this message, which can be changed before
manifest-forget-this = Forget this
manifest-forget-this-does = Shows what would go with this message of yours, and forgets it for good
