-- A login. Its access token names it; the token is refused once the session has ended or was not
-- used for 30 days. Tokens of earlier versions name no session: theirs is inserted at its first use.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  -- Such as 'Chrome on Android'; null if unknown.
  browser text,
  -- The IANA zone that the browser sent at its login.
  time_zone text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Exact to ten minutes, so that few calls write.
  last_used_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX sessions_artist ON sessions (artist_id);
CREATE INDEX sessions_last_use ON sessions (last_used_at);

-- What happened to the safety of an account, for its artist.
CREATE TABLE security_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null if the account was deleted: operators count such events too.
  artist_id uuid REFERENCES artists ON DELETE CASCADE,
  kind text NOT NULL,
  browser text,
  time_zone text,
  happened_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX security_events_artist ON security_events (artist_id, id);
CREATE INDEX security_events_time ON security_events (happened_at);

-- A change of an account's email. It holds when the link that was mailed to the new email is used.
CREATE TABLE email_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  old_email text NOT NULL,
  new_email text NOT NULL,
  -- False if the old email was not proven, so that a stranger may read its mail.
  can_be_undone boolean NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- When the account got the new email.
  held_at timestamptz,
  -- When it was undone, or was replaced before it held.
  ended_at timestamptz,
  undone_at timestamptz
);
CREATE UNIQUE INDEX email_changes_pending ON email_changes (artist_id)
  WHERE held_at IS NULL AND ended_at IS NULL;
CREATE INDEX email_changes_artist ON email_changes (artist_id);
-- No other account may take an email to which a change can still be undone.
CREATE INDEX email_changes_old_email ON email_changes (lower(old_email));

-- Passkeys (WebAuthn): an artist may log in with one instead of the password.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  -- The id that the authenticator gave it, in base64url.
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- Grows with each use, where an authenticator counts: a copy of the key is noticed by that.
  counter bigint NOT NULL,
  -- The browser in which it was made, such as 'Chrome on Android'; null if unknown.
  browser text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_artist ON passkeys (artist_id);

-- What an authenticator has to sign, once.
CREATE TABLE passkey_challenges (
  challenge text PRIMARY KEY,
  -- Who adds a passkey; null for a login.
  artist_id uuid REFERENCES artists ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
