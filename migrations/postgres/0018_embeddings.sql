-- What messages mean (ADR 43), where a model of embeddings is configured (`settings`: embeddings). `id`: as in `recall`.
-- `batch`: with which others its vector came; 0 while it waits for one.
CREATE TABLE embeddings (
    id BIGINT PRIMARY KEY,
    batch BIGINT NOT NULL,
    vector BYTEA
);
-- The remainder is the time: of those that wait, the newest are asked about first.
CREATE INDEX embeddings_by_batch ON embeddings (batch, (id % 35184372088832));
