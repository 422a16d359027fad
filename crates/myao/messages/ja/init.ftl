# `myao init`

init-begins =
    いくつかの質問に答えると { $file } ができます。Enter で [ ] の中の値になり、Ctrl-C なら何も変わりません。
init-zone = タイムゾーン（Asia/Tokyo のような名前）
init-zone-unknown = その名前のタイムゾーンはありません。Asia/Tokyo、Europe/London、UTC のように書きます。
init-zone-left-out = TZ={ $zone } は tz データベースに名前がないため、代わりに UTC になります。
init-name = 名前は？
init-name-empty = 名前が要ります。
init-persona = どんな人柄にしますか（一、二文で）
init-place = どこで暮らしますか
init-place-archive = この機械の中だけ。Slack のエクスポートを読みます（アカウント不要）
init-place-slack = Slack の中。あなたのワークスペースのアプリとして
init-token-found = { $variable } はもう設定されています。
init-token-later = { $variable } は空のままにし、{ $file } のその行は無効にしておきます。あとで `myao setup slack` で設定できます。
init-keep-anyway = 試せませんでした。このまま使いますか
init-model = 返事と記憶はどのモデルが書きますか
init-model-searching = この機械で動いているモデルを探しています…
init-model-local = { $model }（この機械、{ $where }）
init-model-provider = { $provider }（API キーを使います）
init-model-other = ほかのプロバイダーやサーバー（PROVIDER/MODEL）
init-model-builtin = 使わない。内蔵の builtin が発言を引用します（キーもネットワークも不要）
init-model-name = モデル
init-model-name-wrong = PROVIDER/MODEL の形で書きます（例：openrouter/anthropic/claude-sonnet-5）。プロバイダー：{ $providers }
init-model-address = サーバーのアドレス（Enter ならプロバイダー本来のもの）
init-model-address-wrong = http:// か https:// で始まるアドレスを書きます
init-key = API キー（{ $variable }。表示されません）
init-model-trying = { $model } を試しています…
init-model-another = 別のモデルにしますか
init-model-untried = { $model } をそのまま書き込みます。`myao check` でもう一度試せます。
init-budget = 一日のトークン数の上限（0 なら無制限）
init-budget-wrong = 1000000 のような整数を書きます。
init-budget-price =
    { $model } は 100 万トークンあたり、入力が約 { $input } USD、出力が約 { $output } USD です（{ $as-of } の定価。プロバイダーのページで確かめてください）。一日 { $tokens } トークンなら、その九割が入力だとして、一日約 { $cost } USD です。
init-budget-no-price =
    { $model } の価格はここでは分かりません。プロバイダーのページで確かめ、`myao cost` のために budget.prices を書いてください。予算が尽きると、まず記憶が、最後に返事が待ちます。
init-budget-local = この機械で動くので、予算は要りません。
init-overwrite = { $file } はもうあります。新しく書きますか（今の内容は { $kept } に残ります）
init-nothing = 何も書きませんでした。
init-alone = { $option } は効きません：{ $why }。何も書いていません。
init-alone-slack = この PC だけで動かす設定です（--slack で Slack に参加します）
init-alone-model = 文章を書くモデルがありません（--model で指定します）
init-wrote = 書きました：{ $file }
init-wrote-secrets = 書きました：{ $file }（{ $names }。読めるのはあなただけです）
init-kept = 前のファイルは { $file } にあります
init-checking = `myao check` と同じ検査をします：
init-database-trying = データベースを試しています…
init-database-wrong = --database-url には postgres://myao@host/myao のようなアドレスが要ります。何も書いていません。
init-database-password = データベースのパスワード（なければ空のまま）
init-database-password-seen = --database-url にパスワードが入っています。この PC のほかの人にも見えるので、外して、環境変数か .env の { $variable } に書いてください。何も書いていません。
init-database-kept = いまのファイルにデータベースの場所（memory:）が書かれていて、それは残ります。そこで変えるか、--database-url を外してください。何も書いていません。
init-file-database = 記憶の置き場所：PostgreSQL データベース。パスワードは .env に。
init-next = 次にすること：
init-next-import = myao{ $config } import slack export.zip     # zip でも展開したフォルダでも
init-next-build = myao{ $config } memory build                # 何度でも。続きから進みます
init-next-show = myao{ $config } memory show '#general'
init-next-web = myao{ $config } web                         # すべてをブラウザで
init-next-invite = /invite @{ $name }                   # Slack で、読ませたいチャンネルに
init-next-run = myao{ $config } run                         # ワークスペースに参加（Ctrl-C で終了）
init-next-setup = myao{ $config } setup slack                 # { $names } を設定
init-number-wrong = 1 から { $most } までの数を入力してください。
init-unreadable = 答えを読み取れませんでした。何も書いていません。--yes とオプションを使えば質問されません。

# 書き出すファイル

init-file-head = `myao init` が書きました。書いていない項目は既定値です。全項目は config.yaml.ja.example に。
init-file-locale = プロンプトと記憶の言語、表示される時刻のタイムゾーン。`myao locale` で確かめられます。
init-file-persona = 話し手。
init-file-slack = トークンは、このファイルの横の .env か環境変数に。
init-file-agents = どのモデルが何をするか。書いていない役割は builtin が担います。
init-file-budget = 全モデル合わせて一日に使うトークン数。80 % で記憶が、最後に返事が待ちます。
init-file-kept = 以前のファイルから：`myao init` が尋ねないものは、そのままです。
init-file-prices = `myao cost` のための、100 万トークンあたりの USD（{ $as-of } の定価）。
