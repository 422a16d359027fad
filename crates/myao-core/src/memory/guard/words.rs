//! Lists of words and characters that tell apart languages of the same script.

use std::{collections::BTreeSet, sync::LazyLock};

/// The commonest words of English, without which hardly any sentence can be written; names and commands are left out.
const ENGLISH: &str = "the of to and in is was for on that with it at from by as are be this have has had not but \
    they them their there which will would can could should or an if what when where who we you he she his her its \
    been were do does did one than then so about after before also because nobody everybody some all any \
    i'm i'll i've it's that's can't don't won't let's isn't wasn't";

/// The commonest words of other languages in Latin script; the last list is Japanese in Latin letters. Single letters
/// and words that are English as well (die, also, come, met, made) are left out.
const OTHERS: [&str; 7] = [
    "der das und ist nicht ein eine einen einem einer mit auf dem den des von zu für sich auch wird wurde haben \
     sind bei nach wie aus oder aber noch nur wenn ich wir sie im zum zur",
    "le la les des du et est une un dans pour que qui sur avec pas ce cette sont au aux ont été mais nous vous il \
     elle ils",
    "el la los las del que en una un para con por es se lo como más pero fue han sus este esta al está",
    "os dos das em um uma para com não que por mas foi são ao seu sua na pela",
    "il lo la gli che di del della dei un una con non sono nel alla anche più ma si",
    "het een en dat niet zijn voor op te aan er maar ook wordt werd naar bij uit deze de",
    "wa wo ga ni de mo desu deshita masu mashita shita suru kara yori koto node san",
];

/// Simplified characters that Japanese does not have: the first level of GB 2312 without what JIS X 0208 has, and
/// without the commonest family names, which stand in Japanese texts as well.
const SIMPLIFIED: &str = "\
    啊哎唉皑蔼爱氨胺肮盎翱袄扒吧疤靶坝罢爸摆败扳颁办绊帮梆绑镑谤饱报鲍辈贝钡狈备惫苯绷甭泵蹦笔毕毙毖币痹闭边编贬变\
    辩辫标膘鳖憋别瘪濒滨宾摈饼拨钵铂脖驳补步财睬踩惭灿苍舱仓沧糙厕侧测层蹭茬查碴搽诧搀掺馋谗缠铲产阐颤场尝长偿肠畅\
    钞巢吵车扯彻澈郴尘沉衬撑惩诚骋迟驰齿炽宠踌筹绸瞅橱锄雏滁础储搐处传疮闯创锤纯绰词赐聪囱丛凑蹿篡窜错达瘩傣带贷单\
    郸掸氮惮诞弹挡荡捣岛导德蹬瞪凳敌涤翟递缔颠掂滇碘靛垫电惦碉叼刁钓调爹碟谍叠盯钉顶锭订丢东懂动栋侗冻陡犊读赌镀妒\
    锻缎兑队对墩吨顿囤钝掇哆夺垛躲朵跺剁鹅额讹恶饿尔饵洱贰发罚阀珐矾钒烦贩饭仿访纺啡飞诽废费酚纷坟奋份愤粪丰枫锋风\
    疯缝讽凤肤辐氟涪抚辅赋复负讣妇缚噶嘎该钙溉赶秆赣冈刚钢纲岗篙糕搞镐搁鸽胳疙阁铬给埂宫巩贡钩沟构购够菇咕蛊剐关观\
    馆惯贯逛规归龟闺轨诡柜贵刽辊滚锅过氦骇憨焊汉夯嚎郝菏阂鹤嘿黑哼轰烘鸿红壶唬护沪户哗华划话怀欢环还缓换唤痪焕涣磺\
    谎挥辉毁贿秽烩汇讳诲绘荤浑伙获货祸击圾积饥讥鸡姬绩缉极辑级挤蓟剂济计记际继纪夹荚颊钾驾歼监坚笺间艰缄茧检碱硷拣\
    捡简俭减槛鉴贱见键舰剑饯渐溅涧浆桨奖讲酱胶浇骄娇搅铰矫侥饺缴绞轿较揭秸阶节洁结诫紧锦仅谨进靳烬劲荆鲸惊经颈镜痉\
    竞净揪纠驹举锯俱剧鹃绢撅觉诀绝钧军骏咖卡开凯砍炕烤坷棵磕颗壳渴课啃垦恳抠库裤垮挎块筷侩宽矿眶旷亏盔岿窥馈溃捆扩\
    阔垃蜡腊啦赖蓝栏拦篮阑兰澜谰揽览懒缆烂滥捞劳佬涝乐镭垒类棱篱离鲤荔丽厉砾历傈沥俩联莲连镰涟帘敛脸链炼练两辆晾谅\
    疗辽撂镣猎磷临邻鳞赁拎龄铃灵岭领另馏龙聋咙笼垄拢陇娄搂篓颅庐掳卤虏鲁赂潞录驴吕铝侣缕虑氯滤绿峦挛孪滦抡轮伦仑沦\
    纶论萝逻锣箩骡骆络妈玛码蚂马骂吗买卖迈瞒馒满谩锚铆贸么玫酶霉镁每门闷们锰眯醚谜觅幂绵缅瞄庙灭抿悯闽鸣铭谬摹蘑谋\
    亩哪呐钠纳氖奶难囊挠脑恼闹淖呢馁妮拟你腻蔫撵酿鸟聂孽啮镊镍您柠狞宁拧泞扭钮纽脓浓农疟挪诺鸥呕沤啪趴帕盘盼乓庞耪\
    刨跑呸赔喷砰抨鹏碰坯毗啤骗飘撇拼频贫乒评泼颇扑铺莆谱柒沏歧脐齐骑岂启讫掐牵扦钎铅迁签谦钳谴堑枪呛墙蔷强抢锹桥瞧\
    乔侨撬翘俏窍钦亲轻氢倾擎氰顷请庆琼穷趋驱龋颧权醛劝炔瘸鹊榷确瓤嚷让饶扰绕热韧认纫扔荣绒软锐闰润萨鳃赛叁伞嗓丧搔\
    骚扫涩杀纱傻啥煞筛删闪陕赡缮墒伤赏晌捎烧绍赊摄慑涉设砷绅审婶肾渗绳胜圣师狮诗时蚀实识驶势适释饰视试瘦兽输书赎术\
    树竖耍摔甩帅拴谁顺说硕烁丝饲耸怂颂讼诵擞苏僳诉肃虽绥岁损缩琐锁塌她獭挞蹋酞态坍摊贪瘫滩坛谈碳叹汤搪膛倘躺趟烫绦\
    讨腾誊踢锑题惕屉舔贴铁厅烃酮铜彤捅统偷头秃图涂团颓蜕吞拖鸵驮驼椭挖洼袜顽烷晚惋韦违桅围为潍维苇伟伪纬喂谓卫闻纹\
    稳问嗡挝蜗涡窝卧呜钨乌污诬芜捂坞雾务误硒矽嘻锡牺烯袭习媳铣戏细虾辖吓锨鲜纤贤衔闲显险现县馅羡宪线厢镶乡详响项嚣\
    销晓啸协胁谐泻锌衅兴邢汹锈绣须酗绪续轩悬选癣绚勋询寻驯汛训讯逊压鸦鸭丫蚜哑亚讶阉盐颜艳厌砚唁焰谚验鸯扬疡阳氧养\
    样摇尧窑谣舀药爷页业铱颐遗仪胰蚁艺亿忆义诣议谊译异绎荫阴银饮隐樱婴鹰应缨莹萤营荧蝇赢颖哟拥佣臃痈恿优忧邮铀诱榆\
    舆俞鱼渔娱屿语喻狱预驭鸳辕园员圆缘远约跃钥阅郧匀陨运蕴酝晕砸杂灾载咱攒暂赞赃脏凿枣皂灶责择则泽贼增赠喳轧铡闸眨\
    栅榨诈斋债毡詹盏斩辗崭蘸栈战绽漳涨帐账胀蛰辙锗这贞针侦诊镇阵挣睁狰怔帧证吱织职执值侄纸挚掷帜质盅终种肿众诌轴皱\
    骤诸诛烛拄瞩蛀贮铸驻拽专砖转赚桩妆锥赘坠缀谆桌茁浊兹资淄籽渍鬃综总纵揍诅组钻";
/// Characters that Japanese simplified in another way or hardly ever uses. Those in the names of Japanese people and
/// places are left out.
const TRADITIONAL: &str = "\
    說們將沒與從讓麼嗎經應樣樂擔擇據擴歡歸殘氣淺滯滿潛濟爲狀獨畫盡礦稱穩竊縣繼續聲聽臺舊藝藥蟲褻譯貳賣贊遞醫釋釐鐵\
    鑛隨險雜雙靈顯餘驗驛黨齒這會對發來變關點讀寫實權總當處體號妳嘛呀很跟已并于无做";

/// How many words are looked at: these are enough to tell the language of a text, however long it is.
const MOST_WORDS: usize = 2000;

static CHINESE_ONLY: LazyLock<BTreeSet<char>> =
    LazyLock::new(|| SIMPLIFIED.chars().chain(TRADITIONAL.chars()).collect());

/// How many words of a text in Latin script are common in English, and in another language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Common {
    /// How many words were looked at.
    pub(super) words: usize,
    /// How many of them are common words of English.
    pub(super) english: usize,
    /// How many of them are common words of that other language which has most of them. Names often hold such words (La
    /// Paz, Das Boot), so words that begin with a capital do not count.
    pub(super) other: usize,
}

impl Common {
    pub(super) fn of(text: &str) -> Self {
        let is_word = |c: char| c.is_alphabetic() && is_latin(c) || c == '\'' || c == '’';
        let words = text.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(MOST_WORDS).collect();
        let [english, others @ ..] = &*LISTS;
        let has =
            |list: &BTreeSet<&str>, word: &str| list.contains(word.to_lowercase().replace('’', "'").as_str());
        let hits = |list: &BTreeSet<&str>| words.iter().filter(|word| list.contains(**word)).count();
        Self {
            words: words.len(),
            english: words.iter().filter(|word| has(english, word)).count(),
            other: others.iter().map(hits).max().unwrap_or(0),
        }
    }
}

/// [`ENGLISH`] and [`OTHERS`] as sets.
static LISTS: LazyLock<[BTreeSet<&str>; 8]> = LazyLock::new(|| {
    let [a, b, c, d, e, f, g] = OTHERS;
    [ENGLISH, a, b, c, d, e, f, g].map(|list| list.split_whitespace().collect())
});

/// Whether `c` is written in Chinese and not in Japanese.
pub(super) fn is_chinese(c: char) -> bool {
    CHINESE_ONLY.contains(&c)
}

pub(super) fn is_latin(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}') && c.is_alphabetic()
}
