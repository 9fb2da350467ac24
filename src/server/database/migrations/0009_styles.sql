-- Older servers can run with this migration: the column has a default, and triggers write the table.

-- The styles that the artist works in (src/domain/style.ts).
ALTER TABLE artists ADD COLUMN styles text[] NOT NULL DEFAULT '{}';

-- The rows that `explore_styles` must have: each listing once for each style of its artist.
CREATE VIEW listable_styles AS
  SELECT artist_id, style, city, listing.created_at, paid_until
  FROM listable_artists AS listing JOIN artists ON artists.id = artist_id, unnest(styles) AS style;

-- The artists on the Explore page by style, with the columns and indexes of `explore_listings`.
CREATE TABLE explore_styles (
  artist_id uuid NOT NULL REFERENCES explore_listings ON DELETE CASCADE,
  style text NOT NULL,
  -- In lower case.
  city text NOT NULL,
  created_at timestamptz NOT NULL,
  paid_until timestamptz,
  PRIMARY KEY (artist_id, style)
);
CREATE INDEX explore_styles_all ON explore_styles (style DESC, created_at DESC, artist_id DESC);
CREATE INDEX explore_styles_subscribed ON explore_styles (style DESC, created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NOT NULL;
CREATE INDEX explore_styles_unpaid ON explore_styles (style DESC, created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NULL OR paid_until < 'infinity';
CREATE INDEX explore_styles_city
  ON explore_styles (style DESC, city DESC, created_at DESC, artist_id DESC);
CREATE INDEX explore_styles_city_subscribed
  ON explore_styles (style DESC, city DESC, created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NOT NULL;
CREATE INDEX explore_styles_city_unpaid
  ON explore_styles (style DESC, city DESC, created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NULL OR paid_until < 'infinity';

CREATE OR REPLACE FUNCTION update_explore_listing(artist uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- One change of a listing at a time: each of the next statements sees what was committed before.
  PERFORM FROM artists WHERE id = artist FOR NO KEY UPDATE;
  DELETE FROM explore_listings WHERE artist_id = artist
    AND NOT EXISTS (SELECT FROM listable_artists WHERE artist_id = artist);
  INSERT INTO explore_listings SELECT * FROM listable_artists WHERE artist_id = artist
    ON CONFLICT (artist_id) DO UPDATE
      SET created_at = excluded.created_at, city = excluded.city, paid_until = excluded.paid_until;
  DELETE FROM explore_styles WHERE artist_id = artist;
  INSERT INTO explore_styles SELECT * FROM listable_styles WHERE artist_id = artist;
END $$;

CREATE OR REPLACE TRIGGER update_explore_listing AFTER INSERT OR UPDATE OF is_active, is_superuser,
    is_listed, email_proven_at, scheduling_type, created_at, studio_id, payment_customer, styles ON artists
  FOR EACH ROW EXECUTE FUNCTION update_listing_of_artist();
