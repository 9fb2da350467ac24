-- During an upgrade, servers of the version before 0016_privacy still add emails and networks to the lists
-- that keep hashes. Triggers hash these, so that the new servers find them: a sender who is blocked in that
-- minute stays blocked. Not in `counted_mails`: the older servers count by what they have written there, and
-- its rows are deleted after a day.

-- The first 16 bytes of the SHA-256, in base64url (database/hashed_keys.ts).
CREATE FUNCTION hash_key(key text) RETURNS text LANGUAGE sql AS $$
  SELECT translate(rtrim(encode(substr(sha256(convert_to(key, 'UTF8')), 1, 16), 'base64'), '='),
    '+/', '-_')
$$;

-- No email and no network has the form of a hash: each of them contains one of the characters `@`, `.`, `:`.
CREATE FUNCTION is_hashed_key(key text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT key ~ '^[A-Za-z0-9_-]{22}$'
$$;

CREATE FUNCTION hash_blocked_sender() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- What the artist recognizes: `r•••@example.com`, `203.•••`.
  NEW.hint = CASE NEW.kind
    WHEN 'email' THEN left(NEW.value, 1) || '•••' || coalesce(substring(NEW.value FROM '@[^@]*$'), '')
    ELSE coalesce(substring(NEW.value FROM '^[^.:]*[.:]'), '') || '•••'
  END;
  NEW.value = hash_key(NEW.value);
  RETURN NEW;
END $$;
CREATE TRIGGER hash_blocked_sender BEFORE INSERT OR UPDATE OF value ON blocked_senders
  FOR EACH ROW WHEN (NOT is_hashed_key(NEW.value)) EXECUTE FUNCTION hash_blocked_sender();

CREATE FUNCTION hash_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.mailbox = hash_key(NEW.mailbox);
  RETURN NEW;
END $$;
CREATE TRIGGER hash_mailbox BEFORE INSERT OR UPDATE OF mailbox ON mailboxes
  FOR EACH ROW WHEN (NOT is_hashed_key(NEW.mailbox)) EXECUTE FUNCTION hash_mailbox();
-- Null unless the mail waits for its mailbox.
CREATE TRIGGER hash_mailbox BEFORE INSERT OR UPDATE OF mailbox ON mails
  FOR EACH ROW WHEN (NOT is_hashed_key(NEW.mailbox)) EXECUTE FUNCTION hash_mailbox();

-- What was added before the triggers were there. A new server may have added the same, hashed.
DELETE FROM blocked_senders AS plain USING blocked_senders AS hashed
  WHERE NOT is_hashed_key(plain.value) AND hashed.value = hash_key(plain.value)
    AND hashed.artist_id = plain.artist_id AND hashed.kind = plain.kind;
DELETE FROM mailboxes AS plain USING mailboxes AS hashed
  WHERE NOT is_hashed_key(plain.mailbox) AND hashed.mailbox = hash_key(plain.mailbox)
    AND hashed.artist_id = plain.artist_id;
-- The triggers hash them.
UPDATE blocked_senders SET value = value WHERE NOT is_hashed_key(value);
UPDATE mailboxes SET mailbox = mailbox WHERE NOT is_hashed_key(mailbox);
UPDATE mails SET mailbox = mailbox WHERE NOT is_hashed_key(mailbox);
UPDATE counted_mails SET mailbox = hash_key(mailbox), source = hash_key(source)
  WHERE NOT is_hashed_key(mailbox);
