-- After many_artists.sql: what the minutely and nightly tasks look at, with a backlog of each as after a
-- long outage. Each artist has expired holds and reminders that become due at the same moments.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET maintenance_work_mem = '1GB';
UPDATE pg_index SET indisready = false
  WHERE indrelid IN ('appointments'::regclass, 'appointment_times'::regclass, 'mails'::regclass,
    'appointment_events'::regclass);
CREATE TEMP TABLE timed AS
  SELECT appointment_id AS id, lower(during) AS start,
    row_number() OVER (PARTITION BY artist_id ORDER BY lower(during)) AS turn,
    lower(during) > now() AS is_ahead
  FROM appointment_times;
ALTER TABLE timed ADD COLUMN status text;
UPDATE timed SET status = CASE
  WHEN NOT is_ahead THEN 'completed' WHEN turn % 40 = 0 THEN 'held' ELSE 'confirmed' END;

-- A third of the networks is older than 30 days. A tenth of the details is older than 24 months.
UPDATE appointments SET status = timed.status, network = '203.0.113.0/24',
    created_at = least(created_at, now()) - age, counted_at = least(created_at, now()) - age,
    updated_at = least(created_at, now()) - age
  FROM timed, LATERAL (SELECT CASE WHEN turn <= 10 THEN 1000 ELSE 0 END * interval '1 day' AS age) aged
  WHERE timed.id = appointments.id;
UPDATE appointment_times SET during = tstzrange(start - age, start - age + interval '1 hour'),
    blocked = tstzrange(start - age, start - age + interval '1 hour'),
    expires_at = CASE WHEN status = 'held' THEN now() - interval '1 minute' END
  FROM timed, LATERAL (SELECT CASE WHEN turn <= 10 THEN 1000 ELSE 0 END * interval '1 day' AS age) aged
  WHERE timed.id = appointment_id AND (turn <= 10 OR status = 'held');
INSERT INTO appointment_events (appointment_id, actor, what, happened_at, from_status, to_status, note)
  SELECT id, 'client', 'booked', created_at, NULL, 'confirmed', 'Until then.' FROM appointments;
UPDATE artists SET reminder_hours = '{72,24,2}';

-- One mail of each appointment. A tenth is older than 180 days, and one of a hundred waits and is due.
INSERT INTO mails (artist_id, sender_id, appointment_id, client_id, cause, notice, address, status, source,
    thread, waits_until, created_at, settled_at)
  SELECT artist_id, artist_id, appointments.id, client_id, 'booked:' || appointments.id,
    jsonb_build_object('kind', 'booked', 'appointment', jsonb_build_object(
      'id', appointments.id, 'version', 1, 'by', 'client', 'wasBooked', false, 'isGone', false,
      'artist', jsonb_build_object('username', 'artist', 'name', 'Artist', 'email', 'artist@example.com',
        'publicEmail', null),
      'studio', jsonb_build_object('name', 'Studio', 'address_one', '1 Main Street', 'address_two', null,
        'city', 'New York', 'state', 'NY', 'zip_code', '10001', 'country', 'US',
        'time_zone', 'America/New_York'),
      'client', jsonb_build_object('name', 'Rosa', 'email', email, 'phone', null), 'service', 'Flash',
      'design', null, 'time', jsonb_build_object('start', extract(epoch FROM start) * 1000,
        'end', extract(epoch FROM start) * 1000 + 3600000), 'movedFrom', null, 'expiresAt', null,
      'isReserved', true, 'location', 'arms', 'size', 'small', 'wishes', customer_notes, 'note', null)),
    email, CASE WHEN turn % 100 = 99 THEN 'queued' ELSE 'sent' END, network, appointments.id || ':client',
    CASE WHEN turn % 100 = 99 THEN now() - interval '1 minute' END, created_at,
    CASE WHEN turn % 100 <> 99 THEN created_at END
  FROM appointments JOIN timed USING (id) WHERE email IS NOT NULL;
DROP TABLE timed;
INSERT INTO messages (artist_id, name, email, mailbox, message, network, created_at)
  SELECT id, 'Rosa', 'rosa@example.com', 'rosa', repeat('Hello. ', 40), '203.0.113.0/24',
    now() - n * interval '100 days'
  FROM artists, generate_series(0, 4) n;
INSERT INTO counted_mails (mail_id, mailbox, source, is_link_needed, is_for_safety, counted_at)
  SELECT gen_random_uuid(), n, n, false, false, now() - interval '2 days' FROM generate_series(1, :artists) n;
INSERT INTO rate_limits SELECT 'limit:' || n, 1, 0 FROM generate_series(1, :artists * 10) n;
INSERT INTO sessions (artist_id, last_used_at)
  SELECT id, now() - n * interval '50 days' FROM artists, generate_series(0, 9) n;
INSERT INTO security_events (artist_id, kind, happened_at)
  SELECT id, 'login', now() - n * interval '100 days' FROM artists, generate_series(0, 9) n;
INSERT INTO payment_events (id, happened_at, customer, event, received_at, handled_at)
  SELECT artists.id || '-' || n, at, username, '{"kind": "checkout_completed"}', at, at
  FROM artists, generate_series(0, 11) n, LATERAL (SELECT now() - n * interval '100 days' AS at) made;
-- The last sweep was 14 hours ago: each artist has a reminder due.
INSERT INTO reminder_sweep (swept_until) VALUES (now() - interval '14 hours');

UPDATE pg_index SET indisready = true
  WHERE indrelid IN ('appointments'::regclass, 'appointment_times'::regclass, 'mails'::regclass,
    'appointment_events'::regclass);
VACUUM FULL appointments;
VACUUM FULL appointment_times;
REINDEX TABLE mails;
REINDEX TABLE appointment_events;
VACUUM ANALYZE;
