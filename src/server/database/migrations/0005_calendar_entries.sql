-- Older servers can run with this migration: they ignore the new columns.

-- The email of the organizer in each side's calendar files, from the first file on: calendars take a
-- change of an entry from no one else. Empty: the address of MAIL_FROM, which SQL does not know.
ALTER TABLE appointments
  ADD COLUMN client_organizer text,
  ADD COLUMN artist_organizer text;

-- Entries that clients may have: a file that was mailed says its organizer; else the page's was the same.
UPDATE appointments SET client_organizer = coalesce(
  CASE WHEN mailed.id IS NOT NULL THEN mailed.notice #>> '{appointment,artist,publicEmail}'
    WHEN artists.public_email_kind = 'account' THEN artists.email
    WHEN artists.public_email_kind = 'other' THEN artists.other_public_email
  END, '')
FROM appointments AS ahead
JOIN artists ON artists.id = ahead.artist_id
LEFT JOIN LATERAL (
  SELECT id, notice FROM mails
  WHERE thread = ahead.id || ':client' AND status = 'sent' AND calendar_method = 'REQUEST'
  ORDER BY position LIMIT 1
) AS mailed ON true
WHERE appointments.id = ahead.id AND artists.email_proven_at IS NOT NULL
  AND (ahead.status = 'confirmed' OR mailed.id IS NOT NULL)
  AND EXISTS (SELECT FROM appointment_times
    WHERE appointment_id = ahead.id AND upper(during) > now());
