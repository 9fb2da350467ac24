-- When the artist used a link that was mailed to their email; null until then. Existing accounts
-- count as proven.
ALTER TABLE artists ADD COLUMN email_proven_at timestamptz;
UPDATE artists SET email_proven_at = now();
-- The normalized email; null for accounts from before this column until they change their email.
ALTER TABLE artists ADD COLUMN mailbox text;
CREATE INDEX artists_unproven_mailbox ON artists (mailbox) WHERE email_proven_at IS NULL;

-- Whether the owner of the appointment's email has used its mailed link. Unlike `email_proven`, false
-- for appointments that the artist entered, and again after the artist corrects the email.
ALTER TABLE appointments ADD COLUMN mail_link_used boolean NOT NULL DEFAULT false;

-- Mailboxes whose owner has used a mailed link of an artist: as a client, or as this artist. `mailbox`
-- is a normalized email. No reference: the proof outlives a deleted account.
CREATE TABLE mailboxes (
  mailbox text NOT NULL,
  artist_id uuid NOT NULL,
  proven_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mailbox, artist_id)
);

ALTER TABLE mails
  -- The artist for whom it is sent; unlike `artist_id`, it stays when the account is deleted.
  ADD COLUMN sender_id uuid,
  -- For the mails of a deleted account: whether the artist's email was proven.
  ADD COLUMN sender_was_proven boolean,
  -- Who caused it: the network that typed the address, or the artist's id.
  ADD COLUMN source text,
  -- The normalized address, once the mail waits.
  ADD COLUMN mailbox text,
  -- Set while it waits because a budget is used up, and why.
  ADD COLUMN waits_until timestamptz,
  ADD COLUMN waits_for text CHECK (waits_for IN ('mailbox', 'artist')),
  -- When a job was last enqueued for it after the wait.
  ADD COLUMN woken_at timestamptz,
  -- The mail that tells its content too.
  ADD COLUMN merged_into uuid REFERENCES mails ON DELETE SET NULL;
UPDATE mails SET sender_id = artist_id, source = artist_id WHERE status = 'queued';
CREATE INDEX mails_waiting ON mails (waits_until) WHERE status = 'queued' AND waits_until IS NOT NULL;
CREATE INDEX mails_waiting_mailbox ON mails (mailbox)
  WHERE status = 'queued' AND waits_until IS NOT NULL;
CREATE INDEX mails_merged ON mails (merged_into) WHERE merged_into IS NOT NULL;

-- The mails of the last 24 hours that count for a budget. No references: the counts outlive deleted
-- accounts.
CREATE TABLE counted_mails (
  mail_id uuid PRIMARY KEY,
  mailbox text NOT NULL,
  source text NOT NULL,
  -- Null for a mail to an artist.
  sender_id uuid,
  -- Whether only its link confirms an appointment.
  is_link_needed boolean NOT NULL,
  -- Whether an artist needs it to keep their account or their calendar safe.
  is_for_safety boolean NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX counted_mails_mailbox ON counted_mails (mailbox, counted_at);
CREATE INDEX counted_mails_sender ON counted_mails (sender_id, is_link_needed, counted_at)
  WHERE sender_id IS NOT NULL;
CREATE INDEX counted_mails_counted ON counted_mails (counted_at);

-- Mailboxes that want no mail from an artist, or from no artist at all (`artist_id` null). No
-- reference: the wish outlives a deleted account.
CREATE TABLE stopped_mailboxes (
  -- The first 16 bytes of the SHA-256 of the normalized email.
  mailbox_hash text NOT NULL,
  artist_id uuid,
  stopped_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (mailbox_hash, artist_id)
);
