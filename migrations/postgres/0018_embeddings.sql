-- What messages mean (ADR 43), where a model of embeddings is configured (`settings`: embeddings). `id`: as in `recall`.
-- `batch`: with which others its vector came; 0 while it waits for one.
CREATE TABLE embeddings (
    id BIGINT PRIMARY KEY,
    batch BIGINT NOT NULL,
    vector BYTEA
);
CREATE INDEX embeddings_by_batch ON embeddings (batch, id);
-- The remainder is the time: the newest are asked for first.
CREATE INDEX embeddings_to_ask_for ON embeddings ((id % 35184372088832)) WHERE batch = 0;
