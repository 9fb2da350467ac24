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
  mail_ids uuid[] NOT NULL,
  -- The mails of the change before that waited for its undo: undoing this change queues them again.
  replaced_mail_ids uuid[] NOT NULL,
  -- The studio as clients with a waiting mail know it; otherwise `studio_before`.
  studio_known jsonb NOT NULL
);
