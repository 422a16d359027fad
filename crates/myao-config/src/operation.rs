//! Reads the small sections: prompt, recall, tools, privacy, budget, health check; and `shutdown_seconds`.

use std::{
    net::{IpAddr, Ipv4Addr},
    ops::RangeInclusive,
    path::PathBuf,
};

use super::{secret::Secret, section::Section};

/// `prompt.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptSettings {
    /// The most estimated tokens that a prompt may have. Default 8000.
    pub max_tokens: u32,
    /// The most estimated tokens of a prompt for what bears on the question: messages and lines of memories that a
    /// search finds. 0: nothing is looked up. Default 1000.
    pub recall_tokens: u32,
    /// The most estimated tokens of a prompt for lines in force, which stand in older memories. 0: none are shown.
    /// Default 1500.
    pub lines_tokens: u32,
    /// The most estimated tokens of a prompt for lines of memories about those who speak in the conversation. 0: none
    /// are shown. Default 300.
    pub people_tokens: u32,
    /// A directory with files that replace the prompts of the same names.
    pub dir: Option<PathBuf>,
}

/// `recall.embeddings.*`: a model that turns texts into vectors, behind an interface like OpenAI's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddingEndpoint {
    /// The address of the server.
    pub api_base: String,
    /// The model, by the server's own name for it.
    pub model_id: String,
    /// The key, where the server wants one.
    pub api_key: Option<Secret>,
}

/// `tools.*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolSettings {
    /// The tool that reads a web page.
    pub web_fetch: WebFetch,
    /// The tool that searches the web.
    pub web_search: WebSearch,
}

/// `tools.web_fetch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebFetch {
    /// Whether the tool is offered.
    pub enabled: bool,
    /// A service that fetches pages; `None`: they are fetched directly.
    pub api_endpoint: Option<String>,
    /// Seconds until a page is given up.
    pub timeout_seconds: u64,
    /// The most characters that are shown of a page.
    pub max_content_length: u32,
}

/// `tools.web_search`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebSearch {
    /// Whether the tool may be offered. It also takes a provider that has what it needs ([`WebSearch::is_on`]).
    pub enabled: bool,
    /// The search provider. Default Tavily.
    pub provider: SearchProvider,
    /// The key for Tavily or Brave, without which the tool is off with these.
    pub api_key: Option<Secret>,
    /// The provider's address; `None`: its usual one. SearXNG has no usual one.
    pub api_base: Option<String>,
    /// How thorough Tavily is.
    pub search_depth: SearchDepth,
    /// The most results that are shown.
    pub max_results: u32,
    /// The most characters that are shown of a result.
    pub max_content_length: u32,
}

impl WebSearch {
    /// Whether the tool is offered: it is enabled, and its provider has what it needs.
    pub fn is_on(&self) -> bool {
        self.enabled
            && match self.provider {
                SearchProvider::Tavily | SearchProvider::Brave => self.api_key.is_some(),
                SearchProvider::Searxng => self.api_base.is_some(),
            }
    }
}

/// `tools.web_search.provider`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchProvider {
    /// `tavily`.
    Tavily,
    /// `brave`.
    Brave,
    /// `searxng`: a server of one's own, which needs no key.
    Searxng,
}

impl SearchProvider {
    /// The name in configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tavily => "tavily",
            Self::Brave => "brave",
            Self::Searxng => "searxng",
        }
    }
}

/// `tools.web_search.search_depth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchDepth {
    /// `basic`.
    Basic,
    /// `advanced`: slower, and costs more.
    Advanced,
    /// `fast`.
    Fast,
    /// `ultra-fast`.
    UltraFast,
}

/// The most characters of a search result. 0 means as many, as in myao2.
const MOST_OF_A_RESULT: u32 = 100_000;

impl SearchDepth {
    /// Its name in the file, which is Tavily's.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Advanced => "advanced",
            Self::Fast => "fast",
            Self::UltraFast => "ultra-fast",
        }
    }
}

/// How many days words may be kept: edits and catching up need a week, and a hundred years are as good as for ever.
const DAYS_KEPT: RangeInclusive<u32> = 7..=36_500;

/// `privacy.*`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Privacy {
    /// The people and channels that opted out.
    pub never_remember: NeverRemember,
    /// Days after which words leave the archive, once memories hold them; `None`: never.
    pub archive_days: Option<u32>,
    /// Days after which recordings of calls to models lose their text; `None`: never.
    pub recordings_days: Option<u32>,
    /// Whether a mask takes the place of a secret in the archive, too. Default false.
    pub mask_archive: bool,
}

/// `privacy.never_remember`: channels and people by id or name, as they were written. Code that uses a list resolves
/// the names, and must not ignore one that it can't resolve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NeverRemember {
    /// Channels.
    pub channels: Vec<String>,
    /// People.
    pub users: Vec<String>,
}

impl NeverRemember {
    /// Whether any person or channel opted out.
    pub fn names_anything(&self) -> bool {
        !self.channels.is_empty() || !self.users.is_empty()
    }
}

/// `budget.*`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Budget {
    /// Tokens that models may use in a day of `locale.timezone`; `None`: unlimited.
    pub daily_tokens: Option<u64>,
    /// The currency of the prices, as it is printed; may be empty.
    pub currency: String,
    /// The prices of models; there are no built-in ones.
    pub prices: Vec<Price>,
}

/// One of `budget.prices`: what a million tokens of a model cost, in `budget.currency`.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// `provider/model`.
    pub model: String,
    /// For tokens read.
    pub input: f64,
    /// For tokens read from the provider's cache; as `input` when it is not given.
    pub cached: f64,
    /// For tokens written.
    pub output: f64,
}

/// `health_check.*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HealthCheck {
    /// The address to listen on; `None`: all addresses, since probes come from outside a container.
    pub host: Option<IpAddr>,
    /// The port of `/live` and `/ready`. Default 8080.
    pub port: u16,
}

/// `telemetry.*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Telemetry {
    /// Whether `/metrics` is served beside `/live` and `/ready`. Default false.
    pub metrics: bool,
}

/// `telemetry.*`.
pub(super) fn read_telemetry(section: &mut Section<'_>) -> Telemetry {
    Telemetry { metrics: section.flag("metrics", false) }
}

/// The least `prompt.max_tokens`: the instructions for a summary and a memory that it continues take about 1,200 tokens.
const LEAST_PROMPT: u32 = 1500;

pub(super) fn read_prompt(section: &mut Section<'_>) -> PromptSettings {
    PromptSettings {
        max_tokens: section.whole("max_tokens", 8000, LEAST_PROMPT..=2_000_000),
        recall_tokens: section.whole("recall_tokens", 1700, 0..=2_000_000),
        lines_tokens: section.whole("lines_tokens", 1500, 0..=2_000_000),
        people_tokens: section.whole("people_tokens", 300, 0..=2_000_000),
        dir: section.text("dir").map(PathBuf::from),
    }
}

/// `recall.*`; `None`: what was said is found by words alone.
pub(super) fn read_recall(section: &mut Section<'_>) -> Option<EmbeddingEndpoint> {
    section.section("embeddings", |section| {
        for key in ["api_base", "model_id"] {
            section.require(key, "the address of a server of embeddings, and the model's name there");
        }
        let api_base = section.url("api_base", ["https", "http"]);
        let model_id = section.text("model_id");
        let api_key = section.secret("api_key");
        Some(EmbeddingEndpoint { api_base: api_base?, model_id: model_id?, api_key })
    })
}

pub(super) fn read_tools(section: &mut Section<'_>) -> ToolSettings {
    ToolSettings {
        web_fetch: section.section("web_fetch", |section| WebFetch {
            enabled: section.flag("enabled", true),
            api_endpoint: section.url("api_endpoint", ["https", "http"]),
            timeout_seconds: section.whole("timeout_seconds", 60, 1..=3600),
            max_content_length: section.whole("max_content_length", 20_000, 1..=10_000_000),
        }),
        web_search: section.section("web_search", read_web_search),
    }
}

fn read_web_search(section: &mut Section<'_>) -> WebSearch {
    let search = WebSearch {
        enabled: section.flag("enabled", true),
        provider: section
            .word("provider", "`tavily`, `brave` or `searxng`", parse_search_provider)
            .unwrap_or(SearchProvider::Tavily),
        api_key: section.secret("api_key"),
        api_base: section.url("api_base", ["https", "http"]),
        search_depth: section
            .word("search_depth", "`basic`, `advanced`, `fast` or `ultra-fast`", parse_search_depth)
            .unwrap_or(SearchDepth::Basic),
        max_results: section.whole("max_results", 5, 1..=20),
        max_content_length: match section.whole("max_content_length", 500, 0..=MOST_OF_A_RESULT) {
            0 => MOST_OF_A_RESULT,
            characters => characters,
        },
    };
    let lacks_address = search.provider == SearchProvider::Searxng && section.is_silent_about("api_base");
    if search.enabled && lacks_address {
        section
            .contradiction("provider", "searxng has no address of its own: `api_base` says where yours is");
    }
    search
}

fn parse_search_provider(text: &str) -> Option<SearchProvider> {
    let all = [SearchProvider::Tavily, SearchProvider::Brave, SearchProvider::Searxng];
    all.into_iter().find(|provider| provider.as_str() == text)
}

fn parse_search_depth(text: &str) -> Option<SearchDepth> {
    let all = [SearchDepth::Basic, SearchDepth::Advanced, SearchDepth::Fast, SearchDepth::UltraFast];
    all.into_iter().find(|depth| depth.as_str() == text)
}

pub(super) fn read_privacy(section: &mut Section<'_>) -> Privacy {
    let never_remember = section.section("never_remember", |section| NeverRemember {
        channels: section.texts("channels"),
        users: section.texts("users"),
    });
    let archive_days = section.whole_or("archive_days", DAYS_KEPT);
    let recordings_days = section.whole_or("recordings_days", DAYS_KEPT);
    let mask_archive = section.flag("mask_archive", false);
    Privacy { never_remember, archive_days, recordings_days, mask_archive }
}

/// The most that a budget of a day may be.
pub(super) const MOST_DAILY_TOKENS: u64 = 1_000_000_000_000;

pub(super) fn read_budget(section: &mut Section<'_>) -> Budget {
    Budget {
        daily_tokens: section.whole_or("daily_tokens", 0..=MOST_DAILY_TOKENS),
        currency: section.text("currency").unwrap_or_default(),
        prices: section.items("prices", Vec::new(), read_price),
    }
}

fn read_price(section: &mut Section<'_>) -> Option<Price> {
    for key in ["model", "input", "output"] {
        section.require(key, "model, and what a million tokens cost: input, output (and cached)");
    }
    let prices = 0.0..=1_000_000.0;
    let model = section.text("model");
    let input = section.number_or("input", prices.clone());
    let cached = section.number_or("cached", prices.clone());
    let output = section.number_or("output", prices);
    let model = model?;
    let input = input?;
    let output = output?;
    Some(Price { model, input, cached: cached.unwrap_or(input), output })
}

pub(super) fn read_health_check(section: &mut Section<'_>) -> HealthCheck {
    let address = |text: &str| match text {
        "localhost" => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        text => text.parse().ok(),
    };
    HealthCheck {
        host: section.word("host", "an address of this machine, as in 127.0.0.1 or \"::1\"", address),
        port: section.whole("port", 8080, 1..=u16::MAX),
    }
}

/// `shutdown_seconds`. The default is long enough for a post in flight, and shorter than the 30 s after which service
/// managers kill a process.
pub(super) fn read_shutdown(root: &mut Section<'_>) -> u64 {
    root.whole("shutdown_seconds", 20, 0..=3600)
}
