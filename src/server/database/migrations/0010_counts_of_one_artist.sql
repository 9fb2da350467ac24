-- Older servers can run with this migration: they only delete old networks more slowly.
-- It lists the requests of all artists, for a task of each minute. While the statistics knew of few networks, PostgreSQL
-- read it whole for the counts of one artist's requests, which have an index of their own.
DROP INDEX appointments_network;
