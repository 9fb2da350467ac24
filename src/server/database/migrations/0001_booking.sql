-- A studio, or another place where an artist works: its address, and the zone its clocks show.
CREATE TABLE places (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  address_one text NOT NULL,
  address_two text,
  city text NOT NULL,
  state text NOT NULL,
  zip_code text NOT NULL,
  time_zone text NOT NULL
);

CREATE TABLE artists (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  username text NOT NULL CHECK (username = lower(username)),
  email text NOT NULL,
  full_name text NOT NULL,
  password_hash text NOT NULL,
  -- A token names the version it was signed for, so that a new password ends the old tokens.
  token_version integer NOT NULL DEFAULT 1,
  about_me text,
  facebook text,
  instagram text,
  avatar_id uuid,
  scheduling_type text CHECK (scheduling_type IN ('service', 'managed')),
  studio_id uuid NOT NULL REFERENCES places,
  is_active boolean NOT NULL DEFAULT true,
  is_superuser boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX artists_username ON artists (username);
CREATE UNIQUE INDEX artists_email ON artists (lower(email));
CREATE INDEX artists_studio ON artists (studio_id);

CREATE TABLE schedules (
  artist_id uuid PRIMARY KEY REFERENCES artists ON DELETE CASCADE,
  weekly jsonb NOT NULL,
  slot_interval_minutes integer NOT NULL,
  buffer_minutes integer NOT NULL,
  minimum_notice_minutes integer NOT NULL,
  booking_range jsonb NOT NULL
);

-- Rows and not part of `weekly`, so that reading a month does not grow with the years.
CREATE TABLE schedule_exceptions (
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  date date NOT NULL,
  windows jsonb NOT NULL,
  PRIMARY KEY (artist_id, date)
);

CREATE TABLE services (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL,
  duration_minutes integer NOT NULL CHECK (duration_minutes BETWEEN 5 AND 1440),
  is_available boolean NOT NULL DEFAULT true,
  position integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Kept for the appointments that name it.
  deleted_at timestamptz
);
CREATE INDEX services_artist ON services (artist_id, position, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE images (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('design', 'portfolio', 'avatar')),
  title text NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  -- The widths that are stored, smallest first, and the formats of each, best first.
  widths integer[] NOT NULL,
  formats text[] NOT NULL,
  position integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX images_artist ON images (artist_id, kind, position, created_at, id);

ALTER TABLE artists ADD FOREIGN KEY (avatar_id) REFERENCES images ON DELETE SET NULL;

CREATE TABLE designs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  image_id uuid NOT NULL REFERENCES images,
  name text NOT NULL,
  description text NOT NULL,
  status text NOT NULL CHECK (status IN ('available', 'claimed', 'hidden')),
  position integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX designs_artist ON designs (artist_id, position, created_at, id);
CREATE INDEX designs_image ON designs (image_id);

-- One row a client of an artist, merged by email.
CREATE TABLE clients (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  email text,
  first_name text,
  last_name text,
  pronouns text,
  phone_number text,
  preferred_contact text CHECK (preferred_contact IN ('email', 'phone', 'text')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX clients_email ON clients (artist_id, lower(email));

CREATE TABLE appointments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  place_id uuid NOT NULL REFERENCES places,
  client_id uuid NOT NULL REFERENCES clients,
  service_id uuid REFERENCES services,
  design_id uuid REFERENCES designs ON DELETE SET NULL,
  status text NOT NULL CHECK (status IN ('requested', 'held', 'offered', 'confirmed', 'declined',
    'expired', 'cancelled', 'completed', 'no_show')),
  version integer NOT NULL DEFAULT 1,
  -- The client as they wrote themselves this time; anyone may type anyone's email, so that a
  -- request never changes what an earlier one said.
  email text,
  first_name text,
  last_name text,
  pronouns text,
  phone_number text,
  preferred_contact text CHECK (preferred_contact IN ('email', 'phone', 'text')),
  location text CHECK (location IN ('arms', 'legs', 'torso', 'chest', 'back', 'hands', 'head',
    'neck', 'shoulder', 'other')),
  size text CHECK (size IN ('small', 'medium', 'large', 'extra-large', 'other')),
  customer_notes text,
  idempotency_key uuid,
  -- What the key stood for when it first came: the same key for something else is refused.
  idempotency_subject text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX appointments_idempotency ON appointments (artist_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX appointments_inbox ON appointments (artist_id, created_at DESC, id);
CREATE INDEX appointments_client ON appointments (client_id);
CREATE INDEX appointments_design ON appointments (design_id);
CREATE INDEX appointments_service ON appointments (service_id);
CREATE INDEX appointments_place ON appointments (place_id);

-- Times that appointments keep, or kept. `blocked` is `during` and the buffer as it was when booked.
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE TABLE appointment_times (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  appointment_id uuid NOT NULL REFERENCES appointments ON DELETE CASCADE,
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  place_id uuid NOT NULL REFERENCES places,
  during tstzrange NOT NULL CHECK (NOT isempty(during)),
  blocked tstzrange NOT NULL CHECK (blocked @> during),
  occupies boolean NOT NULL,
  lapses_at timestamptz,
  -- No two kept times of an artist overlap, whatever the program believes.
  CONSTRAINT no_double_booking
    EXCLUDE USING gist (artist_id WITH =, blocked WITH &&) WHERE (occupies)
);
CREATE INDEX appointment_times_appointment ON appointment_times (appointment_id);
CREATE INDEX appointment_times_during ON appointment_times USING gist (artist_id, during);
CREATE INDEX appointment_times_place ON appointment_times (place_id);

-- What visitors wrote to an artist.
CREATE TABLE messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  name text NOT NULL,
  email text NOT NULL,
  message text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX messages_artist ON messages (artist_id, created_at DESC);
