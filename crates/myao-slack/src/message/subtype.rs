//! Classifies the subtypes of Slack's messages (docs.slack.dev, `message` event; specification §1 "Talk").

/// How a message object is to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subtype {
    /// Something that somebody said.
    Talk,
    /// A remark of the platform.
    Notice,
    /// A placeholder for a thread's root that was deleted.
    Tombstone,
    /// An object that holds a message in its current form.
    Changed,
    /// The deletion of another message.
    Deleted,
}

const TALK: [&str; 13] = [
    "assistant_app_thread",
    "bot_message",
    "document_comment_root",
    "file_comment",
    "file_mention",
    "file_share",
    "me_message",
    "reply_broadcast",
    "slack_audio",
    "slack_image",
    "slack_video",
    "slackbot_response",
    "thread_broadcast",
];

const NOTICES: [&str; 36] = [
    "app_conversation_join",
    "app_conversation_leave",
    "bot_add",
    "bot_disable",
    "bot_enable",
    "bot_remove",
    "canvas_sharing_message",
    "channel_archive",
    "channel_canvas_updated",
    "channel_convert_to_private",
    "channel_convert_to_public",
    "channel_join",
    "channel_leave",
    "channel_name",
    "channel_posting_permissions",
    "channel_purpose",
    "channel_topic",
    "channel_unarchive",
    "document_mention",
    "ekm_access_denied",
    "group_archive",
    "group_join",
    "group_leave",
    "group_name",
    "group_purpose",
    "group_topic",
    "group_unarchive",
    "huddle_thread",
    "joiner_notification",
    "joiner_notification_for_inviter",
    "pinned_item",
    "reminder_add",
    "sh_room_created",
    "sh_room_shared",
    "tabbed_canvas_updated",
    "unpinned_item",
];

impl Subtype {
    /// The meaning of a subtype; `None` for an unknown one.
    pub(super) fn of(name: Option<&str>) -> Option<Self> {
        match name {
            None => Some(Self::Talk),
            Some("tombstone") => Some(Self::Tombstone),
            Some("message_changed" | "message_replied") => Some(Self::Changed),
            Some("message_deleted") => Some(Self::Deleted),
            Some(name) if TALK.contains(&name) => Some(Self::Talk),
            Some(name) if NOTICES.contains(&name) => Some(Self::Notice),
            Some(_) => None,
        }
    }
}
