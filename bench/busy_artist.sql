-- Adds clients to the artists of many_artists.sql, all in the past. 'artist-1' and 'artist-2' each get :measured
-- clients of one appointment and two mails. 'artist-1' also gets :others clients of four appointments each,
-- with :mails mails to and about them, and :messages messages of visitors with a mail about each.
SET session_replication_role = replica;
SET synchronous_commit = off;

CREATE TEMP TABLE notices AS
  SELECT jsonb_build_object('id', gen_random_uuid(), 'version', 1, 'wasBooked', true, 'isGone', false,
    'artist', '{"username": "artist-1", "name": "Artist 1", "email": "artist-1@example.com"}'::jsonb,
    'studio', '{"name": "Studio 1", "address_one": "1 Main Street", "address_two": null,
      "city": "New York", "state": "NY", "zip_code": "10001", "time_zone": "America/New_York"}'::jsonb,
    'service', 'Flash', 'design', null, 'time', '{"start": 1893499200000, "end": 1893502800000}'::jsonb,
    'movedFrom', null, 'expiresAt', null, 'isReserved', true, 'location', 'arms', 'size', 'small',
    'wishes', 'A swallow above the wrist, please, not larger than a coin.', 'note', null) AS facts;

CREATE TEMP TABLE people AS
  SELECT gen_random_uuid() AS id, artists.id AS artist_id, studio_id, 1 AS appointments, 2 AS mails,
    'measured-' || n || '@example.com' AS email
  FROM artists, generate_series(1, :measured) n WHERE username IN ('artist-1', 'artist-2')
  UNION ALL
  SELECT gen_random_uuid(), artists.id, studio_id, 4, :mails / :others,
    'other-' || n || '@example.com'
  FROM artists, generate_series(1, :others) n WHERE username = 'artist-1';
INSERT INTO clients (id, artist_id, email, first_name, last_name, created_at)
  SELECT id, artist_id, email, 'Rosa', 'Quint', now() - interval '1 year' FROM people;

CREATE TEMP TABLE booked AS
  SELECT gen_random_uuid() AS id, people.artist_id, studio_id, people.id AS client_id, email, nth, mails,
    now() - interval '32 days' - (row_number() OVER (PARTITION BY artist_id)) * interval '2 hours' AS start
  FROM people, generate_series(1, appointments) nth;
INSERT INTO appointments (id, artist_id, studio_id, client_id, service_id, status, email, first_name,
    last_name, location, size, customer_notes, created_at, updated_at)
  SELECT booked.id, booked.artist_id, studio_id, client_id, services.id, 'completed', email, 'Rosa',
    'Quint', 'arms', 'small', 'A swallow, please.', start - interval '20 days', start
  FROM booked JOIN services ON services.artist_id = booked.artist_id;
INSERT INTO appointment_times (appointment_id, artist_id, studio_id, during, blocked, occupies)
  SELECT id, artist_id, studio_id, tstzrange(start, start + interval '1 hour'),
    tstzrange(start, start + interval '1 hour'), true
  FROM booked;

-- Half of them to the client, half to the artist.
INSERT INTO mails (artist_id, sender_id, appointment_id, client_id, cause, address, status, settled_at,
    thread, notice)
  SELECT artist_id, artist_id, id, client_id, 'mail:' || id || ':' || turn,
    CASE turn % 2 WHEN 0 THEN email ELSE 'artist-1@example.com' END, 'sent', start,
    id || CASE turn % 2 WHEN 0 THEN ':client' ELSE ':artist' END,
    jsonb_build_object('kind', CASE turn % 2 WHEN 0 THEN 'booked' ELSE 'new_booking' END,
      'appointment', facts || jsonb_build_object('id', id, 'client',
        jsonb_build_object('name', 'Rosa Quint', 'email', email, 'phone', null)))
  FROM booked, generate_series(1, mails) turn, notices WHERE nth = 1;

CREATE TEMP TABLE written AS
  SELECT gen_random_uuid() AS id, artists.id AS artist_id, 'visitor-' || n || '@example.com' AS email
  FROM artists, generate_series(1, :messages) n WHERE username = 'artist-1';
INSERT INTO messages (id, artist_id, name, email, mailbox, message, read_at)
  SELECT id, artist_id, 'A visitor', email, email, 'Do you draw swallows?', now() FROM written;
INSERT INTO mails (artist_id, sender_id, cause, address, status, settled_at, notice)
  SELECT artist_id, artist_id, 'contact_message:' || id, 'artist-1@example.com', 'sent', now(),
    jsonb_build_object('kind', 'contact_message', 'artist', facts->'artist', 'message',
      jsonb_build_object('id', id, 'name', 'A visitor', 'email', email, 'text', 'Do you draw swallows?'))
  FROM written, notices;
VACUUM ANALYZE
