# `myao setup slack`

setup-begins =
    Slack で myao を使えるようにします。アプリをつくるページを示し、
    アプリのトークン二つを尋ねて試します。そのあと
      - { $env } にトークンを書きます（読めるのはあなただけ。ほかの行はそのまま）
      - { $change }
      - `myao check` と同じ検査をします。
    質問のところで Ctrl-C を押せば、何も変わりません。
setup-will-keep-file = { $file } はそのままです（もうトークンを読むようになっています）
setup-will-change-file = { $file } に、トークンを読む行を足します（ほかはそのまま）
setup-will-make-file = { $file } をつくります：言語、タイムゾーン、トークンを読む行
setup-page =
    アプリをつくる Slack のページです。中身は入力済みで、二分ほどで済みます
    （アプリをインストールできる人が必要です）：
setup-open = ブラウザで開きますか
setup-copy =
    一行まるごとコピーして、ブラウザで開いてください。
    `myao setup slack --link` ならアドレスだけを表示します。
setup-steps =
    そのページで：
      1. ワークスペースを選び、Next、Create。
      2. Install App → Install to Workspace → 許可する：
         Bot User OAuth Token（xoxb-…）をコピー。
      3. Basic Information → App-Level Tokens → Generate Token and Scopes：
         名前は自由、スコープは connections:write、Generate：
         表示されたトークン（xapp-…）をコピー。
    二つともここに貼り付けてください。順番は問わず、表示もされません。
    Enter だけなら残りを空のままにし、同じコマンドがまた尋ねます。
setup-other-bot =
    アプリレベルトークンは設定済みなので、アプリはもうあります：{ $page }
    そのページ Install App に Bot User OAuth Token（xoxb-…）があります。
setup-other-app =
    ボットトークンは設定済みなので、アプリはもうあります：{ $page }
    そのページ Basic Information → App-Level Tokens → Generate Token and Scopes で、
    もう一つをつくります：名前は自由、スコープは connections:write（xapp-…）。
setup-paste-either = トークン（xoxb-… か xapp-…）
setup-paste-bot = ボットトークン（xoxb-…）
setup-paste-app = アプリレベルトークン（xapp-…）
setup-token-of-person = それは人のトークン（xoxp-…）です。要るのはボットのもので、アプリのページ OAuth & Permissions の Bot User OAuth Token（xoxb-…）です。
setup-token-expires = それはトークンローテーションのもの（xoxe…）で、12 時間で切れます。このマニフェストからつくり直すか、ローテーションのないアプリを使ってください。正しいものはアプリのページ OAuth & Permissions の Bot User OAuth Token（xoxb-…）です。
setup-token-foreign = どちらのトークンでもありません。ボットのものは xoxb- で始まり（OAuth & Permissions の Bot User OAuth Token）、アプリレベルのものは xapp- で始まります（Basic Information の App-Level Tokens）。
setup-token-missing = { $variable } がありません。標準入力に { $begins } で始まるトークンがなく、環境変数にも .env にもありません。何も書いていません。
setup-token-in-environment = { $variable } は環境変数にあり、.env より優先されます。そこで変えるか、外してください（unset { $variable }）。何も書いていません。
setup-app-is-there =
    トークンは二つとも設定済みで、Slack で試しました。更新のあとは、マニフェストの新しい内容を `myao{ $config } setup slack --print`
    が表示します。{ $page } のあなたのアプリ → App Manifest に貼り付け、アプリをインストールし直してください。
setup-replace = 別のトークンに置き換えますか
setup-still-missing = まだ足りません：{ $names }。`myao{ $config } setup slack` がまた尋ねます。
setup-no-terminal =
    尋ねるための端末がありません。`--print` はアプリのマニフェストを（`--json` なら JSON で）、`--link` はアプリをつくるページのアドレスを表示します。`--stdin` は標準入力から二つのトークンを読みます：printf '%s\n' "$BOT" "$APP" | myao setup slack --stdin
setup-api-in-file = { $file } に slack: があります。slack.api_base_url はそこに書き、--slack-api は外してください
setup-file-by-hand =
    { $file } の slack.bot_token か slack.app_token は、ここでは変えられない書き方です。slack: の下に次の行を書いて、もう一度実行してください。何も書いていません。
      bot_token: ${"{"}{ $bot }{"}"}
      app_token: ${"{"}{ $app }{"}"}
setup-file-head = `myao setup slack` が書きました。書いていない項目は既定値です。全項目は config.yaml.ja.example に。

# アプリのマニフェスト

manifest-head =
    myao の Slack アプリ。`myao setup slack --print` が、config.yaml で有効なものに合わせてつくります。
    https://api.slack.com/apps の "Create New App" → "From a manifest" に貼り付けるか、もうあるアプリのページ App Manifest の
    中身と置き換えます。続きの手順は `myao setup slack` が案内します。

    アプリレベルトークン（xapp-…、スコープは `connections:write`）はマニフェストに書けません。Basic Information のページで
    つくります。
manifest-messages-tab = ダイレクトメッセージ。
manifest-commands = slack.commands のため。
manifest-rotation = ローテーションするトークンは 12 時間で切れます。
manifest-description = 覚えている友だち。
manifest-agent-description = あなたのいる場所で話されたことを覚えている友だち。いつ、だれの言葉かも言えます。ふつうの言葉で聞いてください。
manifest-agent-view = slack.agent_view のため。
manifest-command-description = 話されたことと覚えていることを探す。理由、メモ、忘れる、静かに
manifest-command-hint = recall 言葉 | why 言葉 | memo | forget リンク | status | quiet 2時間 | help
manifest-why-this = なぜこれを言った？
manifest-why-this-does = なぜ言ったのか：頼まれたのか、何を見て、どのモデルで
manifest-remember-this = これを覚えて
manifest-remember-this-does = この発言からメモを作ります。先に書き直せます
manifest-forget-this = これを忘れて
manifest-forget-this-does = あなたのこの発言とともに何が消えるかを見せてから、完全に忘れます
