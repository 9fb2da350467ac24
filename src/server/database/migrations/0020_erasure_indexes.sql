-- Indexes with which erasing a client finds what it deletes, however much the artist has: the calendar is
-- locked meanwhile.

-- Whether another client of the artist has used an email. Also for the links that a client asks for.
CREATE INDEX appointments_email ON appointments (artist_id, lower(email));

-- The email of the person whom a mail is to or about; null if it is about none. In lower case.
CREATE FUNCTION person_of_mail(notice jsonb, address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(CASE notice->>'kind'
    WHEN 'links' THEN address
    ELSE coalesce(notice->'appointment'->'client'->>'email', notice->'message'->>'email',
      notice->'client'->>'email')
  END)
$$;
DROP INDEX mails_without_client;
CREATE INDEX mails_person ON mails (artist_id, person_of_mail(notice, address)) WHERE client_id IS NULL;
CREATE INDEX mails_data_requested ON mails ((notice->'request'->>'id'))
  WHERE notice->>'kind' = 'data_requested';

-- The hash of the sender's mailbox (database/hashed_keys.ts): the same for all spellings of their email. Null
-- for messages of earlier versions, whose mailbox only the program knows.
ALTER TABLE messages ADD COLUMN mailbox text;
CREATE INDEX messages_mailbox ON messages (artist_id, mailbox);
