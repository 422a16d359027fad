-- What is new waits in a list until it is sorted into the index, and every lookup of a term reads that list from one end to
-- the other. The server's own limit is 4 MB: then a lookup spends more time in the list than in the index.
ALTER INDEX recall_by_term SET (gin_pending_list_limit = 256);
