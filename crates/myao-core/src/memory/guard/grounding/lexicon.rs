//! Words by which names are told from other words that begin with a capital.

use std::{collections::BTreeSet, sync::LazyLock};

/// Given and family names that somebody who invents a person is likely to take, without those that are English words.
const NAMES: &str = "aaron abigail adam adrian aiko akiko akira alan albert alejandro alex alexander alexandra alice alicia \
    alison allison amanda amelia amy ana andrea andrew angela anita anna anne annie anthony antonio arthur ashley aya ayumi \
    barbara benjamin bernard beth betty bob bobby brandon brenda brian bruce bryan carl carla carlos carmen carol caroline \
    catherine charles charlie charlotte chris christian christina christine christopher cindy claire clara connor craig \
    cynthia daichi daisuke dana daniel danielle dave david deborah denise dennis diana diane diego dmitri donald donna \
    dorothy douglas dylan edward eiji elena eli elizabeth ella ellen emi emily emma eric erica erik erika ethan eva evan evelyn \
    felix fiona fernando francesca francis fred fumiko gabriel gary george gerald gloria greg gregory hana hanako hannah \
    harold harry haruka haruki heather helen henry hideo hiro hiroko hiroshi hiroto ian igor irene isaac isabel isabella ivan \
    jackson jacob jake james jamie jane janet jason javier jeff jeffrey jennifer jenny jeremy jerry jesse jessica jim jimmy \
    joan joe joel john johnny jonathan jose joseph joshua juan judith judy julie justin kaori karen karl kate katherine \
    kathleen kathy katie kazuki kazuo keiko keith kelly ken kenichi kenji kenneth kenta kevin kimberly koji kumiko kyle larry \
    laura lauren leo leon leonard leslie linda lisa liz lucas lucia lucy luis luke makoto manuel marcus margaret maria mariko \
    marie mario mariko martha martin mary masato masaru matt matteo matthew megan melissa michael michelle midori miguel mika \
    mike miki minoru miriam mohammed monica nancy naoko naomi naoki natalie natasha nathan nicholas nick nicole nina noah nora \
    olga oliver olivia oscar pablo pamela patricia patrick paul paula pedro peter philip philippe phillip priya rachel raj \
    rebecca ricardo richard rita robert roberto rodrigo roger ronald rosa ruth ryan ryo ryota sakura sally samantha samuel \
    sandra sara sarah satoshi scott sean sergio sharon shaun shinji shota simon sofia sophia sophie stefan stella stephanie \
    stephen steve steven stuart susan suzanne sven takashi takeshi takumi tamara tanya taro tatsuya ted teresa terry theo \
    theresa thomas tim timothy tina todd tom tomas tomoko tony tracy tyler valerie vanessa veronica vincent virginia vivian \
    walter wendy william xavier yamato yoko yoshi yuka yuki yuko yumi yusuke yuta yuto zachary zoe \
    abe aoki fujii fujita goto hashimoto hayashi honda ikeda inoue ishii ishikawa ito kato kimura kobayashi kondo maeda \
    matsuda matsumoto miller mori murakami nakajima nakamura nakano nishimura ogawa okada ota saito sakai sakamoto sasaki \
    sato shimizu suzuki takahashi takagi tanaka ueda wada watanabe yamada yamaguchi yamamoto yamashita yamazaki yoshida \
    anderson chen cohen davis garcia gonzalez hernandez johnson kim kumar lee lopez martinez murphy nguyen \
    patel perez rodriguez sanchez schmidt singh smith thompson wang williams wilson wong zhang";

/// Words that are written with a capital and are nobody's name: days, months, languages, the words of headings, and
/// what everybody knows without being told.
const CAPITALISED: &str = "i i'm i'll i've i'd monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday \
    fridays saturday saturdays sunday sundays january february march april may june july august september october november \
    december jan feb mar apr jun jul aug sep sept oct nov dec christmas easter halloween god internet web english japanese \
    german french spanish italian chinese korean russian portuguese dutch american european british indian asian africa african \
    asia europe america latin greek english-speaking japan germany france england british western eastern northern southern \
    unicode ascii markdown slack irc dm faq todo wifi email emails ok mr mrs ms dr prof sir st vs etc \
    action actions activity advice agenda agreement agreements all also an and announcement answer answers another any app apps \
    approach approved as ask asked at attendance attendees author background before best both bug bugs but by can cause \
    chair change changed changes channel channels chat client clients code comment comments community conclusion concern \
    concerns confirmed context cost could current currently data date dates day deadline deadlines decided decision decisions \
    default design detail details dev developer developers discussed discussion discussions doc docs done draft due during each \
    either error errors event events everybody everyone example examples fact facts feedback file files final first fix fixed \
    fixes follow follow-up for from fun fix general goal goals group guest guests half he head her help here his history home \
    host how however idea ideas if important in info install interest interests issue issues it item items its job joined key \
    known last lead leader learned left life line link links list long-term lunch main maintainer maintainers manager many \
    meal meeting meetings meetup member members memory mentioned message messages milestone mood more most name names need \
    needs new news next no nobody none not note notes nothing now of offer offered office official old on one online only open \
    option options or order organiser organizer other others our out outcome overview owner package participant participants \
    party pending people person personal plan planned plans point points possible preference preferences present previous \
    price problem problems process product progress project projects proposal proposed public question questions reason \
    recent recurring regarding release released releases remote reply report reported request requests research resolved \
    responsible result results review role roles rule rules run same schedule scheduled script second section see server \
    servers set setup several she shared short-term should since site so some somebody someone source speaker speakers staff \
    standup start started status step steps still stop story student students suggested suggestion suggestions summary support \
    system systems talk talks task tasks taste tastes team teams test tested tests thanks that the their theme themes then \
    there these they thing things this those thread threads time timeline tip tips title to today together tomorrow tool tools \
    topic topics transport travel trip type unclear under unresolved until update updated updates upcoming use used user users \
    using venue version via view visit vote wants warning was we week weekend weeks welcome went were what when where which while \
    who why will window with without work workaround working works workshop would write yes yesterday yet you your zone \
    boss book books car cat dog family father friend friends house kids mom mother dad parents partner room school shop train \
    wife husband brother sister son daughter child children music movie movies game games food drink dinner breakfast coffee";

/// Verbs for what people say, think or plan. A capitalised word before one of these is a person.
const SPEAKS: &str = "says said asks asked agrees agreed suggests suggested plans planned promised promises decided decides \
    proposed proposes thinks thought prefers preferred reports reported mentioned mentions offered offers told tells \
    wants wanted will would recommends recommended explained explains volunteered";

/// Ends of words that names do not have.
const ENDINGS: [&str; 36] = [
    "ing", "tion", "tions", "sion", "sions", "ment", "ments", "ness", "ity", "ities", "ly", "ance", "ence",
    "ful", "less", "able", "ible", "ous", "ive", "ical", "ship", "hood", "ism", "ers", "ors", "ists", "ants",
    "ents", "age", "ages", "ed", "ized", "ised", "ways", "wise", "ware",
];
/// How many letters a word needs to be judged by its end.
const LEAST_ENDED: usize = 6;

static SETS: LazyLock<[BTreeSet<&str>; 3]> =
    LazyLock::new(|| [NAMES, CAPITALISED, SPEAKS].map(|list| list.split_whitespace().collect()));

/// Whether the word, in lower case, is a common name of people.
pub(super) fn is_persons_name(word: &str) -> bool {
    let [names, _, _] = &*SETS;
    names.contains(word)
}

/// Whether the word, in lower case, is no name although it is written with a capital.
pub(super) fn is_plain_word(word: &str) -> bool {
    let [_, capitalised, _] = &*SETS;
    let is_ended = word.chars().count() >= LEAST_ENDED && ENDINGS.iter().any(|end| word.ends_with(end));
    capitalised.contains(word) || is_ended
}

/// Whether the word, in lower case, tells what somebody says or does.
pub(super) fn is_said(word: &str) -> bool {
    let [_, _, speaks] = &*SETS;
    speaks.contains(word)
}

/// The last characters of words before さん that are nobody's name: お客さん, 店員さん, 奥さん.
const NO_NAME_BEFORE_TITLE: &str =
    "皆客奥母父兄姉弟妹娘子孫嫁婿祖屋者員家師士医社人長生達主番側坊婆爺猫犬神赤方手部隊様々衆供組局";

/// Whether kanji before さん or 氏 are what somebody is rather than a name.
pub(super) fn is_no_name(kanji: &str) -> bool {
    kanji.chars().next_back().is_some_and(|c| NO_NAME_BEFORE_TITLE.contains(c))
}
