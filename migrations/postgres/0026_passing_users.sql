-- Who asked something while opted out is known for a day, for the limit of answers a person; then the row names nobody.
CREATE INDEX passing_messages_named ON passing_messages (arrived_at) WHERE user_id <> '';
