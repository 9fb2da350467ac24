-- Fills an empty studio with :artists artists who have :each appointments each, one after the other
-- from a month ago on, every two hours of the day and night. Run by a superuser in a session of its
-- own: foreign keys are not looked at, and ids come in order, so that millions of rows go quickly.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET maintenance_work_mem = '1GB';
SET max_parallel_maintenance_workers = 2;

CREATE TEMP TABLE numbered AS
  SELECT n, uuidv7() AS id, uuidv7() AS studio_id, uuidv7() AS service_id
  FROM generate_series(1, :artists) n;

INSERT INTO studios (id, name, address_one, city, state, zip_code, time_zone)
  SELECT studio_id, 'Studio ' || n, n || ' Main Street', 'New York', 'NY', '10001', 'America/New_York'
  FROM numbered;
INSERT INTO artists (id, username, email, mailbox, full_name, password_hash, scheduling_type, studio_id)
  SELECT id, 'artist-' || n, 'artist-' || n || '@example.com', 'artist-' || n || '@example.com', 'Artist ' || n,
    (SELECT password_hash FROM artists WHERE username = 'ana'), 'service', studio_id
  FROM numbered;
INSERT INTO schedules
  SELECT numbered.id, weekly, 30, 0, 120, '{"kind": "open"}'
  FROM numbered, (SELECT jsonb_agg(jsonb_build_object('weekday', weekday, 'windows',
      '[{"start": "00:00", "end": "24:00"}]'::jsonb)) AS weekly
    FROM generate_series(1, 7) weekday) week;
INSERT INTO services (id, artist_id, name, description, duration_minutes)
  SELECT service_id, id, 'Flash', 'From the wall.', 60 FROM numbered;
INSERT INTO images (id, artist_id, kind, title, width, height, widths, formats)
  SELECT uuidv7(), id, 'design', 'Swallow', 1600, 1200, '{400,800}', '{avif,webp}'
  FROM numbered, generate_series(1, 5);
INSERT INTO designs (artist_id, image_id, name, description, status)
  SELECT artist_id, images.id, 'Swallow', 'In black.', 'available'
  FROM images JOIN numbered ON numbered.id = artist_id;
INSERT INTO clients (id, artist_id, email, first_name)
  SELECT uuidv7(), id, 'client-' || client || '@example.com', 'Rosa'
  FROM numbered, generate_series(1, 20) client;

-- Indexes are left alone until all is written, and then built at once; two appointments at the same
-- time are not looked for, as VACUUM FULL trusts what it moves.
UPDATE pg_index SET indisready = false
  WHERE indrelid IN ('appointments'::regclass, 'appointment_times'::regclass);
ALTER TABLE appointments SET (autovacuum_enabled = off);
ALTER TABLE appointment_times SET (autovacuum_enabled = off);

CREATE TEMP TABLE booked AS
  SELECT uuidv7() AS id, numbered.id AS artist_id, studio_id, service_id,
    date_trunc('day', now()) - interval '30 days' + turn * interval '14 hours' AS start, turn
  FROM numbered, generate_series(1, :each) turn;
INSERT INTO appointments (id, artist_id, studio_id, client_id, service_id, status, email, first_name,
    location, size, customer_notes, created_at)
  SELECT booked.id, artist_id, studio_id, client.ids[1 + turn % 20], service_id, 'confirmed',
    'client-' || 1 + turn % 20 || '@example.com', 'Rosa', 'arms', 'small', 'A swallow, please.',
    start - interval '20 days'
  FROM booked JOIN (SELECT artist_id, array_agg(id) AS ids FROM clients GROUP BY artist_id) client
    USING (artist_id);
INSERT INTO appointment_times (id, appointment_id, artist_id, studio_id, during, blocked, occupies)
  SELECT uuidv7(), id, artist_id, studio_id, tstzrange(start, start + interval '1 hour'),
    tstzrange(start, start + interval '1 hour'), true
  FROM booked;
DROP TABLE booked;

UPDATE pg_index SET indisready = true
  WHERE indrelid IN ('appointments'::regclass, 'appointment_times'::regclass);
REINDEX TABLE appointments;
VACUUM FULL appointment_times;
ALTER TABLE appointments RESET (autovacuum_enabled);
ALTER TABLE appointment_times RESET (autovacuum_enabled);
VACUUM ANALYZE;
