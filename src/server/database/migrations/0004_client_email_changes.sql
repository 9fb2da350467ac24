-- Older servers can run with this migration: they ignore the new table.

-- Another email that a client wants for an appointment. It waits until the link that was mailed to the
-- present one is used. The latest wish replaces the others. The mails with these links are in the thread
-- `<appointment>:email`.
CREATE TABLE client_email_changes (
  appointment_id uuid PRIMARY KEY REFERENCES appointments ON DELETE CASCADE,
  old_email text NOT NULL,
  new_email text NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- When the appointment got the new email.
  applied_at timestamptz
);
