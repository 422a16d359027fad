# The page of a channel, and the heading of all pages about one.

channel-changes = 変わったところ
channel-why = 出どころ
channel-threads = スレッド
channel-prompt = プロンプト
channel-this-channel = このチャンネル
channel-see-as-here = ここから見る
channel-coverage = { $messages }、{ $remembered }件を記憶、{ $waiting }件が待ち
channel-with-people-from-outside = 外部の人がいます
channel-until-the-chat-tells-what = 種類が分かるまで
channel-nothing-yet-chapters-are-folded = まだありません。章がいくつかできると、ここに織り込まれます。章は、静かな2時間か50件の発言で終わります。
channel-earlier-texts-of-this-memory = この記憶の前の文章
channel-now = 、いま
channel-blue-is-new-since = 青い字は前の文章から新しくなったところです。日付から、もとの発言へ行けます。
channel-edit = 書き直す
channel-rebuild = 作り直す
channel-text-about =
    { $all ->
        [1] {""}
       *[other] 全{ $all }件の文章の{ $nth }件目。
    }{ $tokens }トークン（目安{ $target }）、{ $messages }件の発言から{ $chapters ->
        [0] {""}
       *[other] （章1〜{ $chapters }）
    }。記録{ $entry }、{ $at }、{ $actor }。
channel-its-chapters = 章
channel-none-ended-yet-a-chapter = まだ終わった章はありません。しばらく誰も話さないか、いっぱいになると章が終わります。
channel-still-to-be-written = { $number }章がこれから書かれます。進み具合を見る
channel-earlier-chapters = 前の章
channel-under-way = 進行中
channel-provisional-its-chapter-is-under = 仮のもの（章は進行中）
channel-how-verbatim = そのまま
channel-how-summary = 要約
channel-how-merge = 織り込み
channel-how-emptied = 空（発言がすべて削除されました）
channel-how-adopted = 引き継ぎ
channel-how-revert = 戻した
channel-how-edit = 手書き
channel-how-refused = 採らなかった
channel-how-dropped = 書き直しのため外した
channel-how-correction = 人が訂正した
channel-as-of = この日の終わりの時点
channel-as-of-now-instead = いまに戻る
channel-as-of-shown = { $at }の時点：それまでに話されたこと、その記憶、そのとき成り立っていたこと。文章はあとで書かれたものもあります。
channel-as-of-written = { $at }に書かれました。
channel-as-of-nothing-folded = それまでに話されたことだけでできた文章はありません。横の章がすべてです。
channel-as-of-ended = { $day }まで。そのときの発言：{ $words }
channel-as-of-removed = その時点までの発言{ $number }件は、削除されたか忘れられたため、表示しません。
channel-as-of-unwritten = その時点までの章{ $number }件には、いま文章がありません。言葉が取り除かれ、残りから書き直されるところです。
channel-as-of-edited = その時点までの発言{ $number }件は、あとで編集されたため、編集後の形で表示します。
channel-as-of-expired = その時点までの発言{ $number }件は、言葉の期限が過ぎました。記憶は残っています。
channel-as-of-unreadable = 「{ $given }」は日にも時刻にもなりません。2026-03-01 のような日付を入れてください。
channel-as-of-future = 「{ $given }」はまだ来ていません。その時点のことは示せません。
channel-as-of-before-everything = 「{ $given }」までに、ここでは何も話されていません。
