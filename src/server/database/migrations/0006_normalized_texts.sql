-- Older servers can run with this migration: it changes no column, only forms of texts.

-- Texts that are compared and searched are stored in one form of Unicode (NFC) from now on. Emails and
-- usernames that would become equal stay as they are; the doctor lists them.
DO $$
BEGIN
  -- `normalize()` is an error in other encodings.
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RETURN;
  END IF;
  UPDATE artists SET full_name = normalize(full_name) WHERE full_name IS NOT NFC NORMALIZED;
  UPDATE studios SET name = normalize(name), city = normalize(city)
  WHERE name IS NOT NFC NORMALIZED OR city IS NOT NFC NORMALIZED;
  UPDATE clients SET first_name = normalize(first_name), last_name = normalize(last_name)
  WHERE first_name IS NOT NFC NORMALIZED OR last_name IS NOT NFC NORMALIZED;
  UPDATE appointments SET first_name = normalize(first_name), last_name = normalize(last_name)
  WHERE first_name IS NOT NFC NORMALIZED OR last_name IS NOT NFC NORMALIZED;

  UPDATE artists AS own SET email = normalize(email), mailbox = normalize(mailbox)
  WHERE email IS NOT NFC NORMALIZED AND NOT EXISTS (
    SELECT FROM artists
    WHERE id <> own.id AND lower(normalize(email)) = lower(normalize(own.email)));
  UPDATE artists AS own SET username = normalize(username)
  WHERE username IS NOT NFC NORMALIZED AND NOT EXISTS (
    SELECT FROM artists WHERE id <> own.id AND normalize(username) = normalize(own.username));
  UPDATE clients AS own SET email = normalize(email)
  WHERE email IS NOT NFC NORMALIZED AND NOT EXISTS (
    SELECT FROM clients
    WHERE artist_id = own.artist_id AND id <> own.id
      AND lower(normalize(email)) = lower(normalize(own.email)));
  UPDATE appointments SET email = normalize(email) WHERE email IS NOT NFC NORMALIZED;
  UPDATE messages SET email = normalize(email) WHERE email IS NOT NFC NORMALIZED;
END
$$;
