# Why an entry of the journal was written. The journal keeps the English texts: they stand in show/reasons.rs too.

reasons-the-chapter-was-closed = 章が閉じたため
reasons-the-window-moved-on = 期間が先へ進んだため
reasons-thread-went-on = スレッドが続いたため
reasons-by-hand = 人が書いたもの
reasons-taken-over = myao2のデータベースから引き継いだもの
reasons-builtin-wrote-it = 。モデルの文章を受け取れなかったので、builtinが書きました
reasons-cut = 。モデルの文章が二度とも長すぎたので、途中で切りました
reasons-quoted = 「{ $reason }」
reasons-chapters-waited = 章{ $first }〜{ $last }が待っていたため
reasons-chapter-waited = 章{ $number }が待っていたため
reasons-channels-changed = { $number }チャンネルの記憶が変わったため
reasons-back-to-entry = 記録{ $entry }に戻したもの
