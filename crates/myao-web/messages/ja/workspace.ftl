# The page of the workspace’s memory.

workspace-what-everybody-may-know-from = 公開チャンネルだけから作った、みんなが知ってよいことです。
workspace-nothing-yet-it-is-made = まだありません。チャンネルに長期記憶ができると、多くても1時間に1度、作られます。
workspace-the-text = 文章
workspace-what-changed-and-edit = 変わったところと書き直し
