-- A server's index alone has a list of what waits to be sorted in.
SELECT 1;
