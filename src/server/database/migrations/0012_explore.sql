-- Until the triggers are there, no other server may write what they read.
LOCK TABLE artists, places, subscriptions IN SHARE ROW EXCLUSIVE MODE;

-- Whether the artist may appear on the Explore page.
ALTER TABLE artists ADD COLUMN is_listed boolean NOT NULL DEFAULT true;

-- The rows that `explore_listings` must have. `created_at` has milliseconds, like times in the code.
-- `paid_until` decides together with `created_at` whether an artist takes bookings while billing is
-- on (src/domain/subscription.ts): `infinity` while a subscription is paid, the first failed payment
-- of the one that failed last, null without a subscription that goes on.
CREATE VIEW listable_artists AS
  SELECT artists.id AS artist_id, date_trunc('milliseconds', artists.created_at) AS created_at,
    lower(btrim(places.city)) AS city,
    (SELECT max(coalesce(failing_since, 'infinity')) FROM subscriptions
      WHERE customer = artists.payment_customer
        AND status IN ('trialing', 'active', 'past_due', 'unpaid')) AS paid_until
  FROM artists JOIN places ON places.id = artists.studio_id
  WHERE is_active AND NOT is_superuser AND is_listed AND email_proven_at IS NOT NULL
    AND scheduling_type IS NOT NULL;

-- The artists on the Explore page: what selects and sorts them comes from three tables, and only
-- together in one row can it be indexed. Triggers write it, so that no statement can forget it,
-- also not one of a server of the version before.
CREATE TABLE explore_listings (
  artist_id uuid PRIMARY KEY REFERENCES artists ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  -- In lower case.
  city text NOT NULL,
  paid_until timestamptz
);
INSERT INTO explore_listings SELECT * FROM listable_artists;

-- Each in the order of a page: of all artists, those with a subscription, and those without a paid
-- one; and the same in one city.
CREATE INDEX explore_listings_all ON explore_listings (created_at DESC, artist_id DESC);
CREATE INDEX explore_listings_subscribed ON explore_listings (created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NOT NULL;
CREATE INDEX explore_listings_unpaid ON explore_listings (created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NULL OR paid_until < 'infinity';
CREATE INDEX explore_listings_city ON explore_listings (city DESC, created_at DESC, artist_id DESC);
CREATE INDEX explore_listings_city_subscribed
  ON explore_listings (city DESC, created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NOT NULL;
CREATE INDEX explore_listings_city_unpaid
  ON explore_listings (city DESC, created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NULL OR paid_until < 'infinity';
-- For the next grace period that ends.
CREATE INDEX explore_listings_overdue ON explore_listings (paid_until)
  WHERE paid_until < 'infinity';

CREATE FUNCTION update_explore_listing(artist uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- One change of a listing at a time: each of the next statements sees what was committed before.
  PERFORM FROM artists WHERE id = artist FOR NO KEY UPDATE;
  DELETE FROM explore_listings WHERE artist_id = artist
    AND NOT EXISTS (SELECT FROM listable_artists WHERE artist_id = artist);
  INSERT INTO explore_listings SELECT * FROM listable_artists WHERE artist_id = artist
    ON CONFLICT (artist_id) DO UPDATE
      SET created_at = excluded.created_at, city = excluded.city, paid_until = excluded.paid_until;
END $$;

CREATE FUNCTION update_listing_of_artist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM update_explore_listing(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER update_explore_listing AFTER INSERT OR UPDATE OF is_active, is_superuser, is_listed,
    email_proven_at, scheduling_type, created_at, studio_id, payment_customer ON artists
  FOR EACH ROW EXECUTE FUNCTION update_listing_of_artist();

CREATE FUNCTION update_listing_of_studio() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM update_explore_listing(id) FROM artists WHERE studio_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER update_explore_listing AFTER UPDATE OF city ON places
  FOR EACH ROW WHEN (OLD.city IS DISTINCT FROM NEW.city)
  EXECUTE FUNCTION update_listing_of_studio();

CREATE FUNCTION update_listing_of_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- OLD is null on INSERT, NEW on DELETE.
  PERFORM update_explore_listing(id) FROM artists
    WHERE payment_customer IN (OLD.customer, NEW.customer);
  RETURN NULL;
END $$;
CREATE TRIGGER update_explore_listing AFTER INSERT OR UPDATE OR DELETE ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION update_listing_of_customer();
