-- Older servers can run with this migration: they too store one time for each appointment.

-- The lists of an artist with many appointments are selected, sorted and counted from these indexes alone.
CREATE INDEX appointments_list ON appointments (artist_id, client_id, created_at) INCLUDE (id, status);
CREATE INDEX mails_visible ON mails (artist_id, created_at DESC, position DESC)
  INCLUDE (id, status, is_only_saved) WHERE notice->>'kind' <> 'password_recovery';

-- An appointment has one time, as servers have always stored it: the first one was shown.
DELETE FROM appointment_times USING appointment_times AS first
WHERE first.appointment_id = appointment_times.appointment_id
  AND (lower(first.during), first.id) < (lower(appointment_times.during), appointment_times.id);
CREATE UNIQUE INDEX appointment_times_list ON appointment_times (artist_id, appointment_id)
  INCLUDE (during, expires_at);
