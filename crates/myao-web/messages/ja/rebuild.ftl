# The pages on which memories are written again.

rebuild-write-anew = #{ $channel }の記憶を作り直す
rebuild-chapters-from-to = 章{ $first }〜{ $last }を書き直し、もう一度織り込みます。
rebuild-until-that-is-done = 終わるまでは、古い文章か、何も見えません。いままでの文章は記録に残ります。費用のかかるモデルなら、章ごとにもう一度たずねます。
rebuild-from-chapter = この章から
rebuild-write-them-anew = 作り直す
rebuild-written-anew = #{ $channel }の記憶の作り直し
rebuild-written = { $all }章のうち、{ $written }章を書きました。
rebuild-does-not-go-on = 進んでいません：{ $why }
rebuild-all-of-it = これで全部です。
rebuild-to-the-memory = 記憶へ
rebuild-goes-on-by-itself = 1分以内に始まり、見ていなくても自動で進みます。
rebuild-none-folded-in = 長期記憶には、まだどれも織り込まれていません。
rebuild-folded-in = 長期記憶には、章{ $chapter }まで織り込まれています。
rebuild-words-have-expired = これらの章には、期限が過ぎて言葉のなくなったもの（privacy.archive_days）があります。残っているのは記憶だけです。
rebuild-another-process-works = ほかの処理がこのチャンネルを扱っています。少し待ってからどうぞ。
rebuild-could-not-be-done = できませんでした。くわしくはログにあります。
