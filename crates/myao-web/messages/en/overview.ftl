# The overview.

overview-what-is-remembered = What is remembered
overview-every-message-is-in-exactly = Every message is in exactly one column. “Uncovered” is counted to show that there is none.
overview-counted = Counted { $at }
overview-by-model-role-purpose = By model, role, purpose and channel
overview-last-said = Last said: { $at }, in { $channel }.{" "}
overview-memory-has-caught-up = Memory has caught up.
overview-channels-due =
    { $due ->
        [one] { $due } channel is waiting to be looked at.
       *[other] { $due } channels are waiting to be looked at.
    }
overview-catching-up = What was said in { $channels } channels while nobody listened is still being fetched, until about { $until }; where somebody asks, it is done first.
overview-nothing-said = Nothing was said yet that could be remembered.
overview-remembered-of = { $covered } of { $messages } messages are remembered.
overview-waiting-for-end = { $number } wait for their chapter to end.
overview-older-than-memory = { $number } are older than the memory of their channel.
overview-none-is-lost = None is lost.
overview-some-lost = { $number } are in no memory. Some are lost: `myao memory verify` tells which.
overview-how-to-begin = How to begin
overview-take-an-export-of-your = Take an export of your workspace in, and have it remembered:
overview-or-join-slack = Or join Slack, and it remembers from then on: { $command }
overview-still-to-be-forgotten = Something is still to be forgotten: `myao forget --resume`, or the next `myao run`, finishes it.
overview-undecided-memos = { $number } memos from myao2 are in no prompt: say on their pages who sees them, or with `myao memo adopt`.
overview-in-no-memory = Messages are in no memory: `myao memory verify` tells which.
overview-thread-of = { $channel }, thread of { $day }
overview-long-term-of = { $channel }, long-term memory
overview-entry-of-journal = entry
overview-needs =
    { $number ->
        [one] { $number } thing needs a person
       *[other] { $number } things need a person
    }
overview-builtin-quotes-does-not-write = builtin: quotes, does not write
overview-how-it-is-doing = How it is doing
overview-chapters = Chapters
overview-chapters-verbatim = { $chapters } (word for word: { $verbatim })
overview-long-term = Long-term
overview-and-the-workspaces = , and the workspace’s
overview-and-threads = ; threads: { $number }
overview-writes-memories = Writes memories
overview-answers = Answers
overview-judges = Judges
overview-search = Search
overview-everything-can-be-found = everything can be found
overview-index-so-far = { $done } / { $all } channels so far
overview-archive = Archive
overview-one-sqlite-file = one SQLite file
overview-and-unread = ; not understood, kept raw: { $number }
overview-between-roles = {", "}
overview-model-unreachable = { $model } cannot be reached ({ $roles }). Is its server up, and is client_args.api_base right? `myao check` tries it.
overview-model-too-slow = { $model } does not answer in time ({ $roles }). Raise client_args.timeout, or use a faster model; `myao check` tries it.
overview-model-wrong-key = { $model } does not accept the key ({ $roles }). Look at client_args.api_key and at `.env`; `myao check` tries it.
overview-model-key-spent = The budget of the key for { $model } is used up ({ $roles }). Raise it where the key comes from, or wait until it begins anew.
overview-model-wrong-address = At the address of { $model } there is no model’s interface ({ $roles }). Look at client_args.api_base; `myao check` tries it.
overview-model-unknown = The provider does not know { $model } ({ $roles }). Look at model_id, as the provider writes it; `myao check` tries it.
overview-budget-spent = { $used } of today’s { $limit } tokens are used: until tomorrow it waits with ({ $roles }). budget.daily_tokens raises the limit.
overview-how-it-grew = How it grew
overview-in-the-month = month
overview-messages-a-month = messages said
overview-chapters-a-month = chapters ended
overview-month = %b %Y
