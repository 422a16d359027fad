//! Words that people use whatever they talk about. In an archive of some hundred messages they are rare, and yet they tell
//! nothing: who asks what something is used for does not want whatever is used for anything.

use std::{collections::HashSet, sync::LazyLock};

use crate::{text::english_stem, worth::is_common_word};

/// English ones beside grammar and courtesies.
const ENGLISH: &str = "use used using way ways without good better best bad great nice big small new old next last first \
    second little few several every each another same different own such part place point case time times day days week \
    month year today tomorrow yesterday hour minute moment ago ever never always often sometimes usually already soon later \
    early late long short much many more less most least lot enough quite pretty rather almost around away back here there \
    people person someone everyone anyone nobody everybody somebody guy thing things stuff something anything nothing \
    everything kind sort type number name word example reason idea question answer problem issue fact end start begin stop \
    keep let help happen become seem feel felt find found give gave given take took taken bring come came coming leave left \
    put set show tell told ask asked say said talk speak call mean means meant think thought believe guess hope wish love \
    like want need work works worked working make made making try tried trying look looks looking see seen saw hear heard \
    know known knew run running move change changed add added check send sent read write wrote open close able possible \
    probably maybe perhaps though although however instead else yet still even though while since until between against \
    during through across along behind below above under over off near far done doing having being going gone goes get \
    getting got able sure right wrong true real really actually basically certainly definitely simple easy hard whole half \
    full free please thanks thank sorry hello hi hey okay ok yes yeah no not one two three four five six seven eight nine \
    ten hundred once twice both either neither favorite recently current currently plan plans planning";
/// Japanese ones, each with the pair by which it stands in texts.
const JAPANESE: &str = "使い 使う 使え 使っ 使わ 思い 思う 思っ 言い 言う 言っ 見た 見て 見る 見え 出来 出た 出て 出る 来た 来て 来る \
    行く 行き 行っ 分か 知り 知っ 知る 聞い 聞き 聞く 教え 考え 始め 続け 入れ 入っ 入り 作っ 作り 作る 持っ 持ち 書い 書き 読み \
    読ん 場合 方法 必要 感じ 自分 最近 今日 明日 昨日 今回 今度 時間 場所 問題 理由 意味 名前 普通 一番 結構 全部 全然 本当 大丈 \
    丈夫 多分 絶対 一緒 色々 何か 何が 何を 何で 何の 何も 誰か 誰が 何時 皆さ 皆様 お願 願い 気に 気が 人が 人は 人も 人の 事が \
    事を 事は 物が 物を 時に 時は 時の 方が 方は 方を 後で 前に 中で 中に 上に 下に 良い 良く 悪い 多い 少し 大き 小さ 新し 古い";

static EVERYDAY: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let english = ENGLISH.split_whitespace().map(|word| english_stem(word).into_owned());
    english.chain(JAPANESE.split_whitespace().map(str::to_owned)).collect()
});

/// Whether a term of a question, folded and stemmed, is such a word.
pub(super) fn is_everyday_word(term: &str) -> bool {
    EVERYDAY.contains(term) || is_common_word(term)
}
