-- By which rule texts became the terms that are counted. A database in which something was counted before this row was
-- there is counted anew, in the background.
INSERT INTO settings (key, value) SELECT 'terms', 'visible' WHERE NOT EXISTS (SELECT 1 FROM channels);
