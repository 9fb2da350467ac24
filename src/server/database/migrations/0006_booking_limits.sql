-- The network (IPv4 /24, IPv6 /56) from which a client sent the request, for limits and for blocking
-- it; null for an appointment that the artist entered, and after some weeks.
ALTER TABLE appointments ADD COLUMN network text;
CREATE INDEX appointments_network ON appointments (created_at) WHERE network IS NOT NULL;
-- Whether only the mailed link confirms the appointment.
ALTER TABLE appointments ADD COLUMN must_prove_email boolean NOT NULL DEFAULT false;
-- Whether the client has used the mailed link, so that the email is theirs. Appointments from before
-- this column, and those that the artist entered, count as proven.
ALTER TABLE appointments ADD COLUMN email_proven boolean NOT NULL DEFAULT true;
ALTER TABLE appointments ALTER COLUMN email_proven SET DEFAULT false;
-- Whether it counts for the limits of networks. Once the client has proven a mailbox at a public
-- provider, it does not; the owner of a domain proves as many mailboxes as they like.
ALTER TABLE appointments ADD COLUMN counts_for_limits boolean NOT NULL DEFAULT true;
-- When it began to count for them: when it was requested, or confirmed after its deadline.
ALTER TABLE appointments ADD COLUMN counted_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX appointments_counted ON appointments (artist_id, counted_at) WHERE network IS NOT NULL;
-- Whether the artist has set its time, so that "cancel all" of an alarm leaves it.
ALTER TABLE appointments ADD COLUMN is_set_by_artist boolean NOT NULL DEFAULT false;

-- Whether every client of the artist must confirm with the mailed link.
ALTER TABLE artists ADD COLUMN confirm_by_mail boolean NOT NULL DEFAULT false;

-- Unusually many requests whose senders did not prove their email.
CREATE TABLE booking_alarms (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  -- When the requests began to come in.
  since timestamptz NOT NULL,
  -- Requests before then belong to the alarm too; each of them moves it on.
  until timestamptz NOT NULL,
  raised_at timestamptz NOT NULL DEFAULT now(),
  -- When the artist cancelled the requests or dismissed the alarm.
  closed_at timestamptz
);
CREATE UNIQUE INDEX booking_alarms_open ON booking_alarms (artist_id) WHERE closed_at IS NULL;
CREATE INDEX booking_alarms_artist ON booking_alarms (artist_id, raised_at DESC);
-- The alarm that is about the request.
ALTER TABLE appointments ADD COLUMN alarm_id uuid REFERENCES booking_alarms ON DELETE SET NULL;
CREATE INDEX appointments_alarm ON appointments (alarm_id) WHERE alarm_id IS NOT NULL;

-- Senders whose requests and messages the artist does not accept.
CREATE TABLE blocked_senders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('email', 'network')),
  -- A mailbox in its normal form, or a network as in `appointments.network`.
  value text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (artist_id, kind, value)
);

-- Holds that reserve no time: the minutely tasks look for them.
CREATE INDEX appointments_unreserved ON appointments (id)
  WHERE status = 'held' AND must_prove_email;
