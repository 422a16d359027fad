-- Several processes share the work of one run (ADR 60).

-- A process of `myao run`: who it is, when it was last there, and since when and until when it hears the platform. Times
-- are the server's (ADR 60).
CREATE TABLE processes (
    owner TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    health TEXT NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    hears_since BIGINT,
    heard_until BIGINT
);
-- How often something may be done, by all processes together: when its limit is fully unused again, and until when
-- nobody does it at all.
CREATE TABLE limits (
    subject TEXT NOT NULL PRIMARY KEY,
    unused_at BIGINT NOT NULL,
    paused_until BIGINT NOT NULL
);
