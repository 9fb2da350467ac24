-- A mail to one person about something that happened. It tells what was true then, so that it
-- outlives what it tells of; what it says is written when it is sent.
CREATE TABLE mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid REFERENCES artists ON DELETE SET NULL,
  appointment_id uuid REFERENCES appointments ON DELETE SET NULL,
  -- What it is sent for: one cause never makes a second mail.
  cause text NOT NULL UNIQUE,
  notice jsonb NOT NULL,
  address text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed', 'dropped')),
  -- What the mail server said, without the address.
  failure text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it was sent, given up or dropped.
  settled_at timestamptz
);
CREATE INDEX mails_appointment ON mails (appointment_id, created_at);
CREATE INDEX mails_artist ON mails (artist_id, created_at DESC, id);
CREATE INDEX mails_failed ON mails (artist_id, created_at DESC) WHERE status = 'failed';
CREATE INDEX mails_settled ON mails (settled_at);
-- Of artists who have no account any more.
CREATE INDEX mails_orphaned ON mails (settled_at) WHERE artist_id IS NULL;

-- Since when mail to the client does not arrive; null while it does.
ALTER TABLE clients ADD COLUMN email_failed_at timestamptz;

-- How many hours ahead the artist's clients are reminded.
ALTER TABLE artists ADD COLUMN reminder_hours integer[] NOT NULL DEFAULT '{72,24}';

-- Until when reminders have been looked for.
CREATE TABLE reminder_sweep (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  swept_until timestamptz NOT NULL
);
CREATE INDEX appointment_times_start ON appointment_times (lower(during)) WHERE occupies;
CREATE INDEX appointment_times_lapse ON appointment_times (lapses_at)
  WHERE occupies AND lapses_at IS NOT NULL;

-- Who the artist is to the card provider.
ALTER TABLE artists ADD COLUMN payment_customer text UNIQUE;
-- The checkout that was opened last, closed when another one is opened.
ALTER TABLE artists ADD COLUMN payment_checkout text;

-- What the card provider told, once each; a subscription is what all that is told of it adds up to.
CREATE TABLE payment_events (
  id text PRIMARY KEY,
  -- By the provider's clock.
  happened_at timestamptz NOT NULL,
  customer text NOT NULL,
  subscription text,
  event jsonb NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  handled_at timestamptz
);
CREATE INDEX payment_events_subscription ON payment_events (subscription, happened_at);
CREATE INDEX payment_events_unhandled ON payment_events (received_at) WHERE handled_at IS NULL;

CREATE TABLE subscriptions (
  id text PRIMARY KEY,
  customer text NOT NULL,
  status text NOT NULL,
  current_period_end timestamptz,
  cancel_at_period_end boolean NOT NULL,
  -- Since when payments fail; null while they do not.
  failing_since timestamptz
);
CREATE INDEX subscriptions_customer ON subscriptions (customer);

-- When billing was first on: whoever was there before has their trial from then.
CREATE TABLE billing (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  since timestamptz NOT NULL
);
