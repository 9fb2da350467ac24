-- The way back in for an artist who forgot their password; asking again replaces it.
CREATE TABLE password_recoveries (
  artist_id uuid PRIMARY KEY REFERENCES artists ON DELETE CASCADE,
  -- SHA-256 of the token: whoever reads the table cannot use it.
  token_hash bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);

-- What the artist wrote down about a client, for themselves.
ALTER TABLE clients ADD COLUMN notes text NOT NULL DEFAULT '';
CREATE INDEX clients_artist ON clients (artist_id, created_at DESC, id);

-- A picture of a few pixels as a data URI, shown until the real one is there.
ALTER TABLE images ADD COLUMN placeholder text;

-- What the artist wrote to the client with declining or cancelling.
ALTER TABLE appointments ADD COLUMN artist_note text;

-- Pictures whose rows are gone and whose files the store has still to remove.
CREATE TABLE removed_images (id uuid PRIMARY KEY);
