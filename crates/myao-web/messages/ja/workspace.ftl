# workspace

workspace-what-everybody-may-know-from = 公開チャンネルだけから作った、みんなが知ってよいことです。
workspace-nothing-yet-made-once-channels = まだありません。チャンネルに長期記憶ができると、多くても1時間に1度、作られます。
workspace-text = 文章
workspace-what-changed-edit = 変わったところと書き直し
