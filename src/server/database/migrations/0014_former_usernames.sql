-- Usernames that artists had before. They lead to the artist, and nobody else may take them.
CREATE TABLE former_usernames (
  username text PRIMARY KEY,
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  left_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX former_usernames_artist ON former_usernames (artist_id);

-- The page shows the email of the account, another one, or none.
ALTER TABLE artists
  ADD COLUMN public_email_kind text NOT NULL DEFAULT 'account'
    CHECK (public_email_kind IN ('account', 'other', 'none')),
  -- Set if the kind is 'other'.
  ADD COLUMN other_public_email text;
