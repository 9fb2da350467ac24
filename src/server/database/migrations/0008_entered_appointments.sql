-- Older servers can run with this migration: it changes no column.

-- No client has agreed to the policy and the deposit of an appointment that only the artist entered.
UPDATE appointments SET booking_policy = NULL, deposit = NULL
WHERE (booking_policy IS NOT NULL OR deposit IS NOT NULL)
  AND EXISTS (SELECT FROM appointment_events WHERE appointment_id = appointments.id AND what = 'entered')
  AND NOT EXISTS (SELECT FROM appointment_events WHERE appointment_id = appointments.id AND actor = 'client');
