-- Lists all artists of many_artists.sql on Explore: signed up one a minute, half of them in Portland.
-- Of :every artists in a row, two have a subscription; the trial of all others is over.
SET session_replication_role = replica;
INSERT INTO billing (since) VALUES (now() - interval '1 year');
UPDATE studios SET city = 'Portland' FROM artists
  WHERE studios.id = studio_id AND username ~ '^artist-[0-9]*[02468]$';
UPDATE artists SET email_proven_at = now(), payment_customer = username,
    created_at = now() - interval '20 days' - substr(username, 8)::integer * interval '1 minute'
  WHERE username LIKE 'artist-%';
UPDATE artists SET is_listed = false WHERE username NOT LIKE 'artist-%';
INSERT INTO subscriptions (id, customer, status, cancel_at_period_end)
  SELECT username, username, 'active', false FROM artists
  WHERE username LIKE 'artist-%' AND substr(username, 8)::integer % :every < 2;
DELETE FROM explore_listings;
INSERT INTO explore_listings SELECT * FROM listable_artists;
VACUUM ANALYZE
