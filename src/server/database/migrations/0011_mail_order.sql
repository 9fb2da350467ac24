ALTER TABLE mails
  -- The order of the events: `created_at` is the start of a transaction, which may commit later than
  -- a transaction that started later.
  ADD COLUMN position bigint,
  -- Mails with the same thread go out one after another: `<appointment>:client` or
  -- `<appointment>:artist`. Unlike `appointment_id`, it stays when the appointment is deleted.
  ADD COLUMN thread text,
  -- The job that hands it to the mail server: from then until the result is known.
  ADD COLUMN claimed_by text,
  -- Whether the artist had it sent again.
  ADD COLUMN is_resent boolean NOT NULL DEFAULT false,
  -- The calendar file that came with it, once it is sent.
  ADD COLUMN calendar_method text CHECK (calendar_method IN ('REQUEST', 'CANCEL')),
  -- For the mails of a deleted account: whether an earlier mail brought the calendar entry.
  ADD COLUMN was_in_calendar boolean;

UPDATE mails SET position = ordered.position
FROM (
  SELECT id, row_number() OVER (
    ORDER BY created_at, (notice->'appointment'->>'version')::int NULLS FIRST, id
  ) AS position FROM mails
) AS ordered
WHERE ordered.id = mails.id;
ALTER TABLE mails
  ALTER COLUMN position SET NOT NULL,
  ALTER COLUMN position ADD GENERATED ALWAYS AS IDENTITY;
SELECT setval(pg_get_serial_sequence('mails', 'position'), coalesce(max(position), 0) + 1, false)
FROM mails;

UPDATE mails SET
  thread = (notice->'appointment'->>'id') || CASE
    WHEN notice->>'kind' IN ('new_request', 'new_booking', 'offer_lapsed') THEN ':artist'
    ELSE ':client'
  END,
  calendar_method = CASE
    WHEN status = 'sent' AND notice->>'kind' IN ('booked', 'moved') THEN 'REQUEST'
  END
WHERE notice ? 'appointment';
CREATE INDEX mails_thread ON mails (thread, position) WHERE thread IS NOT NULL;
