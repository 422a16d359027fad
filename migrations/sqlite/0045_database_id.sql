-- What tells this database from others, wherever it is copied: a folder of backups may hold those of several.
INSERT INTO settings (key, value) VALUES ('database_id', lower(hex(randomblob(16))));
