-- What happened to an appointment. Rows are only added.
CREATE TABLE appointment_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  appointment_id uuid NOT NULL REFERENCES appointments ON DELETE CASCADE,
  actor text NOT NULL CHECK (actor IN ('client', 'artist', 'system')),
  -- One of APPOINTMENT_EVENTS (domain/appointment.ts).
  what text NOT NULL,
  happened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Null for a new appointment.
  from_status text,
  to_status text NOT NULL,
  -- The start before and after; null without a time.
  from_start timestamptz,
  to_start timestamptz,
  -- The text of the actor to the other side.
  note text
);
CREATE INDEX appointment_events_appointment ON appointment_events (appointment_id, id);

-- Until how many hours before the start clients may cancel or move; null: never.
ALTER TABLE schedules ADD COLUMN client_cancel_notice_hours integer DEFAULT 48;
ALTER TABLE schedules ADD COLUMN client_move_notice_hours integer;

-- A deleted design stays for the appointments and links that refer to it; its image stays only while
-- an appointment shows it.
ALTER TABLE designs ADD COLUMN deleted_at timestamptz;
ALTER TABLE designs ALTER COLUMN image_id DROP NOT NULL;

-- After the deadline of an offer, the request is open again, without the offer's note. Only offers have
-- no service: a hold is a time of a service.
WITH lapsed AS (
  UPDATE appointments SET status = 'requested', artist_note = NULL, updated_at = now()
  WHERE status = 'expired' AND service_id IS NULL
  RETURNING id
), freed AS (
  DELETE FROM appointment_times USING lapsed WHERE appointment_id = lapsed.id
  RETURNING appointment_id, lower(during) AS start, lapses_at
)
INSERT INTO appointment_events
  (appointment_id, actor, what, happened_at, from_status, to_status, from_start)
SELECT lapsed.id, 'system', 'offer_lapsed', coalesce(lapses_at, now()), 'offered', 'requested', start
FROM lapsed LEFT JOIN freed ON freed.appointment_id = lapsed.id;

-- Offers that a server of an earlier version stores as expired during an upgrade: the minutely tasks
-- look for them.
CREATE INDEX appointments_expired_offers ON appointments (id)
  WHERE status = 'expired' AND service_id IS NULL;
