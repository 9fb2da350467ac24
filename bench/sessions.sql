-- Gives each artist of many_artists.sql :each logins of the last month, every second one ended.
SET session_replication_role = replica;
SET synchronous_commit = off;
INSERT INTO sessions (artist_id, browser, time_zone, created_at, last_used_at, ended_at)
  SELECT id, 'Chrome on Android', 'America/New_York', at, at, CASE WHEN nth % 2 = 0 THEN at END
  FROM artists, generate_series(1, :each) nth,
    LATERAL (SELECT now() - nth * interval '2 hours' AS at) times
  WHERE username LIKE 'artist-%' AND username NOT IN ('artist-1', 'artist-2');
INSERT INTO sessions (artist_id, browser, time_zone, created_at, last_used_at, ended_at)
  SELECT id, 'Chrome on Android', 'America/New_York', at, at, CASE WHEN nth % 2 = 0 THEN at END
  FROM artists, generate_series(1, 199) nth, LATERAL (SELECT now() - nth * interval '2 hours' AS at) times
  WHERE username = 'artist-2';
VACUUM ANALYZE
