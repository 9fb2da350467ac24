-- Older servers can run with this migration: they ignore the new columns and the table, and show no drafts.
-- For prices, what designs know, and designs that can be tattooed a limited number of times (decision 0059).

ALTER TABLE artists
  -- ISO 3166-1 alpha-2 and ISO 4217; null: derived from the time zone of the studio.
  ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$'),
  ADD COLUMN currency text CHECK (currency ~ '^[A-Z]{3}$'),
  -- What clients read before they book; empty for none.
  ADD COLUMN booking_policy text NOT NULL DEFAULT '',
  -- {"amount", "currency"}: the deposit that the artist expects, in minor units.
  ADD COLUMN deposit jsonb;

-- {"kind", "amount", "amount_to", "currency"}, amounts in minor units of the currency.
ALTER TABLE services ADD COLUMN price jsonb;

ALTER TABLE designs
  ADD COLUMN price jsonb,
  -- A length of its own, or a service, or neither: then clients choose a service.
  ADD COLUMN duration_minutes integer CHECK (duration_minutes BETWEEN 5 AND 1440),
  ADD COLUMN service_id uuid REFERENCES services,
  ADD COLUMN width_mm integer CHECK (width_mm > 0),
  ADD COLUMN height_mm integer CHECK (height_mm > 0),
  -- How often it may be tattooed; null: without limit.
  ADD COLUMN editions integer CHECK (editions > 0),
  ADD COLUMN placements text[] NOT NULL DEFAULT '{}',
  ADD COLUMN color text CHECK (color IN ('color', 'black')),
  DROP CONSTRAINT designs_status_check,
  ADD CONSTRAINT designs_status_check CHECK (status IN ('available', 'claimed', 'hidden', 'draft')),
  ADD CONSTRAINT designs_length CHECK (duration_minutes IS NULL OR service_id IS NULL);
CREATE INDEX designs_service ON designs (service_id);

ALTER TABLE appointments
  -- The price, policy and deposit as they were when the client booked.
  ADD COLUMN price jsonb,
  ADD COLUMN booking_policy text,
  ADD COLUMN deposit jsonb,
  -- Only the artist reads them. Appointments of one project share them.
  ADD COLUMN private_notes text,
  -- The sessions of one tattoo have the id of the first one; null: there is only one session.
  ADD COLUMN project_id uuid,
  -- A cancelled appointment still uses up its edition of the design.
  ADD COLUMN keeps_edition boolean NOT NULL DEFAULT false;
CREATE INDEX appointments_project ON appointments (project_id) WHERE project_id IS NOT NULL;

-- What the artist has received for an appointment, in any way: we move no money.
CREATE TABLE payments_received (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  appointment_id uuid NOT NULL REFERENCES appointments ON DELETE CASCADE,
  -- In minor units of the currency (ISO 4217).
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  method text NOT NULL CHECK (method IN ('cash', 'card', 'transfer', 'other')),
  -- The date in the studio's time zone.
  received_on date NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payments_received_appointment ON payments_received (appointment_id);
CREATE INDEX payments_received_month ON payments_received (artist_id, received_on);
