# `myao init`

init-begins =
    A few questions, and { $file } is written. Enter takes what stands in brackets; Ctrl-C leaves everything as it is.
init-zone = Time zone (a name as in Europe/London)
init-zone-unknown = No such zone. Names are as in Europe/London, Asia/Tokyo or UTC.
init-zone-left-out = TZ={ $zone } has no name in the tz database, so UTC would hold in its place.
init-name = What shall it be called?
init-name-empty = It needs a name.
init-persona = Who is it, in a sentence or two?
init-place = Where shall it live?
init-place-archive = on this machine, with an export of a workspace (no account needed)
init-place-slack = in Slack, as an app of your workspace
init-token-found = { $variable } is set already.
init-token-later = Left out: { $variable }, and its line in { $file } is switched off. `myao setup slack` takes it later.
init-keep-anyway = It could not be tried. Keep it anyway?
init-model = Which model writes answers and memories?
init-model-searching = Looking for models on this machine …
init-model-local = { $model } (on this machine, { $where })
init-model-provider = { $provider }, with a key of yours
init-model-other = another provider or server (PROVIDER/MODEL)
init-model-builtin = none: builtin quotes what was said, needs no key and no network
init-model-name = Model
init-model-name-wrong = Expected PROVIDER/MODEL, as in openrouter/anthropic/claude-sonnet-5. Providers: { $providers }
init-model-address = Address of its server (Enter: the provider's own)
init-model-address-wrong = Expected an address that begins with http:// or https://
init-key = Key ({ $variable }; it is not shown)
init-model-trying = Trying { $model } …
init-model-another = Choose another model?
init-model-untried = { $model } is written as it is; `myao check` tries it again.
init-budget = Most tokens a day (0: no limit)
init-budget-wrong = Expected a whole number, as in 1000000.
init-budget-price =
    A million tokens of { $model } cost about { $input } USD read and { $output } USD written (list price, { $as-of }: look at your provider's page). { $tokens } tokens a day are then about { $cost } USD a day, if nine tenths of them are read.
init-budget-no-price =
    The price of { $model } is not known here: look at your provider's page, and add budget.prices for `myao cost`. Memories wait first when the budget is used up, answers last.
init-budget-local = It runs on this machine, so there is no budget.
init-overwrite = { $file } is there already. Write it anew? What it holds now is kept as { $kept }.
init-nothing = Nothing was written.
init-alone = { $option } would be without effect: { $why }. Nothing was written.
init-alone-slack = it lives on this machine only; with --slack it lives in Slack
init-alone-model = no model is to write; --model names one
init-wrote = Written: { $file }
init-wrote-secrets = Written: { $file }, with { $names } (only you can read it)
init-kept = The old one is { $file }
init-checking = Checking it, as `myao check` does:
init-database-trying = Trying the database …
init-database-wrong = --database-url: expected an address as in postgres://myao@host/myao. Nothing was written.
init-database-password = The database's password (empty for none)
init-database-password-seen = --database-url holds a password, which other people on this machine can see. Leave it out, and set { $variable } in the environment or in .env. Nothing was written.
init-database-kept = The file that is there says where its database is (memory:), and that is kept. Change it there, or leave --database-url out. Nothing was written.
init-file-database = Where its memory is: a PostgreSQL database. The password is in .env.
init-next = What comes next:
init-next-import = myao{ $config } import slack export.zip     # the zip or the unpacked folder
init-next-build = myao{ $config } memory build                # again later; it goes on where it was
init-next-show = myao{ $config } memory show '#general'
init-next-web = myao{ $config } web                         # all of it in a browser
init-next-invite = /invite @{ $name }                   # in Slack, in the channels it shall read
init-next-run = myao{ $config } run                         # joins the workspace; Ctrl-C ends it
init-next-setup = myao{ $config } setup slack                 # takes { $names }
init-number-wrong = Expected a number from 1 to { $most }.
init-unreadable = The answer could not be read; nothing was written. With --yes and options nothing is asked.

# The file that it writes

init-file-head = Written by `myao init`. What is left out has its default; config.yaml.example lists every key.
init-file-locale = Of prompts, memories and all times that are shown. `myao locale` shows what holds.
init-file-persona = Who speaks.
init-file-slack = The tokens are in .env beside this file, or in the environment.
init-file-agents = Which model does what; a role that is left out is done by builtin.
init-file-budget = Tokens a day for all models together. Memories wait at 80 % of it, answers last.
init-file-kept = From the file before: what `myao init` does not ask about.
init-file-prices = USD for a million tokens, for `myao cost`: list price, { $as-of }.
