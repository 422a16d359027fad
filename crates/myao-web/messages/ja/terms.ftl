# この家の言葉のページ。

terms-words-of-the-house = この家の言葉
terms-people-explained-them = 略語、あだ名、名前を、人が説明したとおりに。二つの言葉の片方でたずねても、もう片方で言われたことが見つかります。
terms-a-part-of-a-word = 言葉かその意味の一部
terms-nobody-explained-one = そのような言葉はここではまだ説明されていません。
terms-and-more-words = ほかにもあります。言葉の一部を入れてください：{ $number }
terms-how-to-end-one = まちがっていたら、言われた場所でそう言うか（「PJ-Kは神田ではなく神戸の略です」）、ここで終わらせます。そのチャンネルで今までに言われたものは使われなくなります。発言は残ります。
terms-it-does-not-mean-this = この意味ではない
terms-let-it-count-again = もう一度使う
terms-show-what-was-ended = 手で終わらせたものを見る
terms-show-what-counts = 使われているものを見る
terms-none-is-ended = 手で終わらせた意味はありません。
