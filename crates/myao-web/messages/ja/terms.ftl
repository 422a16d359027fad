# この家の言葉のページ。

terms-words-of-the-house = この家の言葉
terms-people-explained-them = 略語、あだ名、名前を、人が説明したとおりに。二つの言葉の片方でたずねても、もう片方で言われたことが見つかります。
terms-a-part-of-a-word = 言葉かその意味の一部
terms-nobody-explained-one = そのような言葉はここではまだ説明されていません。
terms-and-more-words = ほかにもあります。言葉の一部を入れてください：{ $number }
terms-how-to-end-one = まちがっていたら、言われた場所でそう言うか（「PJ-Kは神田ではなく神戸の略です」）、myao memory terms --wrong で終わらせます。
