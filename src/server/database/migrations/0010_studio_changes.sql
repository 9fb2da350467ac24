-- The last change of each artist's address or time zone, for as long as it can be undone.
CREATE TABLE studio_changes (
  artist_id uuid PRIMARY KEY REFERENCES artists ON DELETE CASCADE,
  -- The mails about the change wait until then.
  undo_until timestamptz NOT NULL,
  undone_at timestamptz,
  -- The fields of `places` that undoing sets again.
  studio_before jsonb NOT NULL,
  -- The times of appointments that moved, before and after.
  moved_times jsonb NOT NULL,
  mail_ids uuid[] NOT NULL
);
