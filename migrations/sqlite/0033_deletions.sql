-- Why a message's tombstone stands (ADR 82). Tombstones of earlier versions have no row. No words stand here.
CREATE TABLE deletions (
    channel_id TEXT NOT NULL,
    ts INTEGER NOT NULL,
    -- 'told': the platform said so. 'forgotten': the owner had it forgotten. Both are final. 'export', 'history': it was
    -- missing there, and comes back once it is seen again.
    grounds TEXT NOT NULL,
    -- Where it was missing: the moment at which that was true. Else 0.
    missing_at INTEGER NOT NULL,
    -- Where it was missing: whether that is known to hold everything. Else 1.
    proven INTEGER NOT NULL,
    PRIMARY KEY (channel_id, ts)
) STRICT;
-- Up to where a channel's history was changed at once, and is to be read again; NULL for nowhere.
ALTER TABLE channels ADD COLUMN changed_to INTEGER;
