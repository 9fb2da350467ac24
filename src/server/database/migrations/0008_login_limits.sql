-- A mailed link stays valid for its hour also when someone asks for another one: a row for each token.
ALTER TABLE password_recoveries DROP CONSTRAINT password_recoveries_pkey;
ALTER TABLE password_recoveries DROP CONSTRAINT password_recoveries_token_hash_key;
ALTER TABLE password_recoveries ADD PRIMARY KEY (token_hash);
-- The email that the token was mailed to, which it proves; null for one that a superuser hands on.
ALTER TABLE password_recoveries ADD COLUMN email text;
CREATE INDEX password_recoveries_artist ON password_recoveries (artist_id);

-- When the studio showed a message to the artist. Earlier messages count as read.
ALTER TABLE messages ADD COLUMN read_at timestamptz DEFAULT now();
ALTER TABLE messages ALTER COLUMN read_at DROP DEFAULT;
CREATE INDEX messages_unread ON messages (artist_id) WHERE read_at IS NULL;
-- The network that sent the message, as in `appointments.network`; null after some weeks.
ALTER TABLE messages ADD COLUMN network text;
CREATE INDEX messages_network ON messages (created_at) WHERE network IS NOT NULL;
