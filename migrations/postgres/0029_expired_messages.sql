-- Messages whose words have expired: `myao status` counts them channel by channel. Only `expiry.rs` adds any.
CREATE INDEX messages_of_expired ON messages (channel_id) WHERE kind = 'talk' AND deleted = 2;
