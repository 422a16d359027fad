//! Resources: the memory of each place that is seen, as `myao://channel/NAME`, and that of the workspace.

use std::collections::BTreeMap;

use myao_core::chat::{Channel, ChannelId};
use rmcp::model::{
    CacheScope, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate,
};
use url::{Url, form_urlencoded};

use crate::{
    access::MemoryAccess,
    caller::AgentCaller,
    cursor::{cursor_after, shown_before},
    failure::ToolFailure,
    item_id::ItemId,
    items::MemoryItem,
    resolve::place_of_name,
    tools::{BriefAnswer, BriefToolArgs, brief, whole_item},
};

/// What the addresses of resources begin with.
const SCHEME: &str = "myao";
const TEXT_TYPE: &str = "text/markdown";
/// How many resources are listed at once.
const PAGE: usize = 100;
/// How long clients may keep a memory, in milliseconds: it changes with what is said and with who may see it.
const FRESH_MS: u64 = 0;

/// What an address leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ResourceAddress {
    /// A place, by name or id.
    Place(String),
    /// The workspace.
    Workspace,
}

impl ResourceAddress {
    /// Reads an address; `None` if it is none of ours.
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let url = Url::parse(uri).ok().filter(|url| url.scheme() == SCHEME)?;
        let path = url.path().trim_start_matches('/');
        match (url.host_str()?, path) {
            ("workspace", "") => Some(Self::Workspace),
            ("channel", name) if !name.is_empty() => Some(Self::Place(percent_decoded(name))),
            _ => None,
        }
    }
}

/// A text with its percent-encoded bytes read. A plus sign is one: only forms write blanks so.
fn percent_decoded(text: &str) -> String {
    let plain = text.replace('+', "%2B").replace('&', "%26").replace('=', "%3D");
    form_urlencoded::parse(plain.as_bytes()).map(|(name, _)| name.into_owned()).collect()
}

/// The address of a place.
fn address_of(name: &str) -> String {
    let encoded: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("{SCHEME}://channel/{}", encoded.replace('+', "%20"))
}

/// What clients are told of addresses that they can make themselves.
pub(crate) fn templates(access: &MemoryAccess) -> ListResourceTemplatesResult {
    let place = ResourceTemplate::new(format!("{SCHEME}://channel/{{place}}"), "channel")
        .with_description(access.phrase("mcp-resource-channel"))
        .with_mime_type(TEXT_TYPE);
    ListResourceTemplatesResult::with_all_items(vec![place])
}

/// The places that are seen, by name.
pub(crate) async fn list(
    access: &MemoryAccess,
    caller: &AgentCaller,
    request: Option<PaginatedRequestParams>,
) -> Result<ListResourcesResult, ToolFailure> {
    let cursor = request.and_then(|request| request.cursor);
    let asked = format!("{} resources", caller.token.agent);
    let shown = shown_before(cursor.as_deref(), &asked, usize::MAX)?;
    let rows = access.store().archive().channels(&caller.visibility).await?;
    let channels: Vec<Channel> = rows.into_iter().map(|row| row.channel).collect();
    let mut bearers: BTreeMap<&str, usize> = BTreeMap::new();
    for channel in &channels {
        *bearers.entry(&channel.name).or_default() += 1;
    }
    let workspace = caller.visibility.sees_open_channels().then(|| {
        Resource::new(format!("{SCHEME}://workspace"), "workspace")
            .with_description(access.phrase("mcp-resource-workspace"))
            .with_mime_type(TEXT_TYPE)
    });
    // By its name if no other place has it, else by its id.
    let name = |channel: &Channel| {
        let is_alone = bearers.get(channel.name.as_str()) == Some(&1) && !channel.name.is_empty();
        if is_alone { channel.name.clone() } else { channel.id.to_string() }
    };
    let places = channels.iter().map(|channel| place_resource(access, &name(channel)));
    let mut page: Vec<Resource> =
        workspace.into_iter().chain(places).skip(shown).take(PAGE.saturating_add(1)).collect();
    let has_more = page.len() > PAGE;
    page.truncate(PAGE);
    let mut result =
        ListResourcesResult::with_all_items(page).with_ttl_ms(FRESH_MS).with_cache_scope(CacheScope::Private);
    result.next_cursor = has_more.then(|| cursor_after(shown.saturating_add(PAGE), &asked));
    Ok(result)
}

fn place_resource(access: &MemoryAccess, name: &str) -> Resource {
    Resource::new(address_of(name), name)
        .with_description(access.phrase("mcp-resource-channel"))
        .with_mime_type(TEXT_TYPE)
}

/// The memory that an address leads to, as a text; `None` if there is none, or it is not seen.
pub(crate) async fn read(
    access: &MemoryAccess,
    caller: &AgentCaller,
    uri: &str,
) -> Result<Option<ReadResourceResult>, ToolFailure> {
    let text = match ResourceAddress::parse(uri) {
        None => return Ok(None),
        Some(ResourceAddress::Workspace) => {
            whole_item(access, caller, &ItemId::Workspace).await?.map(|whole| whole.item.text)
        }
        Some(ResourceAddress::Place(name)) => {
            if seen_place(access, caller, &name).await?.is_none() {
                return Ok(None);
            }
            let args = BriefToolArgs::of_place(&name);
            Some(brief_as_text(access, &brief(access, caller, args).await?))
        }
    };
    let Some(text) = text else { return Ok(None) };
    let contents = ResourceContents::text(text, uri).with_mime_type(TEXT_TYPE);
    let result = ReadResourceResult::new(vec![contents]);
    Ok(Some(result.with_ttl_ms(FRESH_MS).with_cache_scope(CacheScope::Private)))
}

/// The place of this name; `None` if none is seen.
pub(crate) async fn seen_place(
    access: &MemoryAccess,
    caller: &AgentCaller,
    name: &str,
) -> Result<Option<ChannelId>, ToolFailure> {
    match place_of_name(access.store(), &caller.visibility, name).await {
        Ok(channel) => Ok(Some(channel)),
        Err(ToolFailure::Told(_)) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// What is remembered of a place, as a text.
pub(crate) fn brief_as_text(access: &MemoryAccess, brief: &BriefAnswer) -> String {
    let mut text = format!("# {}\n\n{}\n", brief.place, access.phrase("mcp-material"));
    let mut section = |heading: &'static str, items: &[MemoryItem]| {
        if !items.is_empty() {
            text.extend(["\n## ", access.phrase(heading), "\n"]);
        }
        for item in items {
            text.push('\n');
            text.push_str(&item_as_text(item));
            text.push('\n');
        }
    };
    section("mcp-heading-long-term", brief.long_term.as_slice());
    section("mcp-heading-chapters", &brief.chapters);
    section("mcp-heading-recent", &brief.recent);
    for note in &brief.notes {
        text.extend(["\n", note, "\n"]);
    }
    text
}

fn item_as_text(item: &MemoryItem) -> String {
    let mut about: Vec<&str> = Vec::new();
    about.extend(item.said_by.as_deref());
    about.extend(item.said_at.as_deref());
    about.extend(item.permalink.as_deref());
    if about.is_empty() { item.text.clone() } else { format!("{}\n({})", item.text, about.join(", ")) }
}
