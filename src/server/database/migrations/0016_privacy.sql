-- Erasing clients, and lists that keep hashes of emails and networks instead of these.

-- When the artist erased the client's personal data; then every column about the person is null.
ALTER TABLE clients ADD COLUMN erased_at timestamptz;

-- The first 16 bytes of the SHA-256, in base64url (database/hashed_keys.ts).
CREATE FUNCTION pg_temp.hash_key(key text) RETURNS text LANGUAGE sql AS $$
  SELECT translate(rtrim(encode(substr(sha256(convert_to(key, 'UTF8')), 1, 16), 'base64'), '='),
    '+/', '-_')
$$;

-- `value` becomes a hash, and `hint` what the artist recognizes: `r•••@example.com`, `203.•••`.
ALTER TABLE blocked_senders ADD COLUMN hint text NOT NULL DEFAULT '•••';
UPDATE blocked_senders SET
  hint = CASE kind
    WHEN 'email' THEN left(value, 1) || '•••' || coalesce(substring(value FROM '@[^@]*$'), '')
    ELSE coalesce(substring(value FROM '^[^.:]*[.:]'), '') || '•••'
  END,
  value = pg_temp.hash_key(value);

UPDATE mailboxes SET mailbox = pg_temp.hash_key(mailbox);
UPDATE counted_mails SET mailbox = pg_temp.hash_key(mailbox), source = pg_temp.hash_key(source);
UPDATE mails SET mailbox = pg_temp.hash_key(mailbox) WHERE mailbox IS NOT NULL;

-- The client whom a mail is about, also when the appointment is deleted; null for mails about none, for
-- requests about data (found by the request), and for those that name only an email. No foreign key: a mail
-- outlives its client's row.
ALTER TABLE mails ADD COLUMN client_id uuid;
UPDATE mails SET client_id = appointments.client_id
FROM appointments WHERE appointments.id = mails.appointment_id;
CREATE INDEX mails_client ON mails (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX mails_without_client ON mails (artist_id) WHERE client_id IS NULL;
