-- Older servers cannot run with this migration: it is the first one.

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Accounts

-- Where an artist works: its address, and the zone its clocks show. Artists do not share a studio.
CREATE TABLE studios (
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
  -- The normalized email.
  mailbox text NOT NULL,
  -- When the artist used a link that was mailed to their email; null until then.
  email_proven_at timestamptz,
  -- The page shows the email of the account, another one, or none.
  public_email_kind text NOT NULL DEFAULT 'account'
    CHECK (public_email_kind IN ('account', 'other', 'none')),
  -- Set if the kind is 'other'.
  other_public_email text,
  full_name text NOT NULL,
  password_hash text NOT NULL,
  -- A token names the version it was signed for, so that a new password ends the old tokens.
  token_version integer NOT NULL DEFAULT 1,
  about_me text,
  facebook text,
  instagram text,
  avatar_id uuid,
  scheduling_type text CHECK (scheduling_type IN ('service', 'managed')),
  studio_id uuid NOT NULL REFERENCES studios,
  is_active boolean NOT NULL DEFAULT true,
  is_superuser boolean NOT NULL DEFAULT false,
  -- Whether the artist may appear on the Explore page.
  is_listed boolean NOT NULL DEFAULT true,
  -- How many hours ahead the artist's clients are reminded.
  reminder_hours integer[] NOT NULL DEFAULT '{72,24}',
  -- Whether every client must confirm with the mailed link.
  confirm_by_mail boolean NOT NULL DEFAULT false,
  -- ISO 3166-1 alpha-2 and ISO 4217; null: derived from the time zone of the studio.
  country text CHECK (country ~ '^[A-Z]{2}$'),
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  -- What clients read before they book; empty for none.
  booking_policy text NOT NULL DEFAULT '',
  -- {"amount", "currency"}: the deposit that the artist expects, in minor units.
  deposit jsonb,
  -- Who the artist is to the card provider.
  payment_customer text UNIQUE,
  -- The checkout that was opened last, closed when another one is opened.
  payment_checkout text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX artists_username ON artists (username);
CREATE UNIQUE INDEX artists_email ON artists (lower(email));
CREATE INDEX artists_studio ON artists (studio_id);
CREATE INDEX artists_unproven_mailbox ON artists (mailbox) WHERE email_proven_at IS NULL;

-- Usernames that artists had before. They lead to the artist, and nobody else may take them.
CREATE TABLE former_usernames (
  username text PRIMARY KEY,
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  left_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX former_usernames_artist ON former_usernames (artist_id);

-- A login. Its access token names it; the token is refused once the session has ended or was not
-- used for 30 days.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  -- Such as 'Chrome on Android'; null if unknown.
  browser text,
  -- The IANA zone that the browser sent at its login.
  time_zone text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Exact to ten minutes, so that few calls write.
  last_used_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX sessions_artist ON sessions (artist_id);
CREATE INDEX sessions_last_use ON sessions (last_used_at);

-- What happened to the safety of an account, for its artist.
CREATE TABLE security_events (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null if the account was deleted: operators count such events too.
  artist_id uuid REFERENCES artists ON DELETE CASCADE,
  kind text NOT NULL,
  browser text,
  time_zone text,
  happened_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX security_events_artist ON security_events (artist_id, id);
CREATE INDEX security_events_time ON security_events (happened_at);

-- A mailed link stays valid for its hour also when someone asks for another one: a row for each token.
CREATE TABLE password_recoveries (
  -- SHA-256 of the token: whoever reads the table cannot use it.
  token_hash bytea PRIMARY KEY,
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  -- The email that the token was mailed to, which it proves; null for one that a superuser hands on.
  email text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_recoveries_artist ON password_recoveries (artist_id);

-- A change of an account's email. It applies once the link that was mailed to the new email is used.
CREATE TABLE email_changes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  old_email text NOT NULL,
  new_email text NOT NULL,
  -- False if the old email was not proven, so that a stranger may read its mail.
  can_be_undone boolean NOT NULL,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- When the account got the new email.
  applied_at timestamptz,
  -- When it was undone, or was replaced before it applied.
  ended_at timestamptz,
  undone_at timestamptz
);
CREATE UNIQUE INDEX email_changes_pending ON email_changes (artist_id)
  WHERE applied_at IS NULL AND ended_at IS NULL;
CREATE INDEX email_changes_artist ON email_changes (artist_id);
-- No other account may take an email to which a change can still be undone.
CREATE INDEX email_changes_old_email ON email_changes (lower(old_email));

-- Passkeys (WebAuthn): an artist may log in with one instead of the password.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  -- The id that the authenticator gave it, in base64url.
  credential_id text NOT NULL UNIQUE,
  public_key bytea NOT NULL,
  -- Grows with each use, where an authenticator counts: a copy of the key is noticed by that.
  counter bigint NOT NULL,
  -- The browser in which it was made, such as 'Chrome on Android'; null if unknown.
  browser text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_artist ON passkeys (artist_id);

-- What an authenticator has to sign, once.
CREATE TABLE passkey_challenges (
  challenge text PRIMARY KEY,
  -- Who adds a passkey; null for a login.
  artist_id uuid REFERENCES artists ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);

-- A copy of all data of an artist, which a job makes and the artist can download for a day.
CREATE TABLE exports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'ready', 'failed')),
  -- How many of the rows and pictures are in the file.
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  -- The file that the last run of the job writes, or has written.
  file_id uuid,
  bytes bigint,
  expires_at timestamptz,
  CHECK (state NOT IN ('running', 'ready') OR file_id IS NOT NULL),
  CHECK ((state = 'ready') = (bytes IS NOT NULL AND expires_at IS NOT NULL))
);
CREATE INDEX exports_artist ON exports (artist_id, created_at);
CREATE INDEX exports_time ON exports (created_at);
-- An artist has one unfinished export at a time.
CREATE UNIQUE INDEX exports_unfinished ON exports (artist_id) WHERE state IN ('waiting', 'running');

-- The files of exports, each listed before it is written. A file to which no export refers must be
-- deleted: its export, or the artist, was deleted, or another run of the job wrote a newer one.
CREATE TABLE export_files (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- What clients can book

-- An artist's opening hours, and the bounds of bookings.
CREATE TABLE schedules (
  artist_id uuid PRIMARY KEY REFERENCES artists ON DELETE CASCADE,
  weekly jsonb NOT NULL,
  slot_interval_minutes integer NOT NULL,
  buffer_minutes integer NOT NULL,
  minimum_notice_minutes integer NOT NULL,
  booking_range jsonb NOT NULL,
  -- Until how many hours before the start clients may cancel or move; null: never.
  client_cancel_notice_hours integer DEFAULT 48,
  client_move_notice_hours integer
);

-- Dates with other hours. Rows and not part of `weekly`, so that reading a month does not grow with the years.
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
  -- {"kind", "amount", "amount_to", "currency"}, amounts in minor units of the currency.
  price jsonb,
  is_available boolean NOT NULL DEFAULT true,
  position integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A deleted service stays for the appointments that name it.
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
  -- A picture of a few pixels as a data URI, shown until the real one is there.
  placeholder text,
  position integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX images_artist ON images (artist_id, kind, position, created_at, id);
ALTER TABLE artists ADD FOREIGN KEY (avatar_id) REFERENCES images ON DELETE SET NULL;

-- Pictures whose rows are gone and whose files the store has still to remove.
CREATE TABLE removed_images (id uuid PRIMARY KEY);

CREATE TABLE designs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  -- Null for a deleted design that no appointment shows.
  image_id uuid REFERENCES images,
  name text NOT NULL,
  description text NOT NULL,
  status text NOT NULL CHECK (status IN ('available', 'claimed', 'hidden', 'draft')),
  price jsonb,
  -- A length of its own, or a service, or neither: then clients choose a service.
  duration_minutes integer CHECK (duration_minutes BETWEEN 5 AND 1440),
  service_id uuid REFERENCES services,
  width_mm integer CHECK (width_mm > 0),
  height_mm integer CHECK (height_mm > 0),
  -- How often it may be tattooed; null: without limit.
  editions integer CHECK (editions > 0),
  placements text[] NOT NULL DEFAULT '{}',
  color text CHECK (color IN ('color', 'black')),
  position integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A deleted design stays for the appointments and links that refer to it.
  deleted_at timestamptz,
  CONSTRAINT designs_length CHECK (duration_minutes IS NULL OR service_id IS NULL)
);
CREATE INDEX designs_artist ON designs (artist_id, position, created_at, id);
CREATE INDEX designs_image ON designs (image_id);
CREATE INDEX designs_service ON designs (service_id);

-- Clients

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
  -- What the artist wrote down about the client, for themselves.
  notes text NOT NULL DEFAULT '',
  -- Since when mail to the client does not arrive; null while it does.
  email_failed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the artist erased the client's personal data; then every column about the person is null.
  erased_at timestamptz,
  -- The client who is the same person: this row stays, hidden, so that who books with its email is that client.
  merged_into uuid REFERENCES clients ON DELETE CASCADE
);
CREATE UNIQUE INDEX clients_email ON clients (artist_id, lower(email));
CREATE INDEX clients_artist ON clients (artist_id, created_at DESC, id);
CREATE INDEX clients_merged ON clients (merged_into) WHERE merged_into IS NOT NULL;

-- What undoing a merge restores, which is possible for an hour. Deleted after two, and with either client.
CREATE TABLE client_merges (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  client_id uuid NOT NULL REFERENCES clients ON DELETE CASCADE,
  merged_id uuid NOT NULL REFERENCES clients ON DELETE CASCADE,
  merged_at timestamptz NOT NULL DEFAULT now(),
  -- The changed columns of `client_id`, before and after; the email of `merged_id` before.
  client_before jsonb NOT NULL,
  client_after jsonb NOT NULL,
  merged_email text,
  -- What belonged to `merged_id`: appointments, clients merged into it, requests about data.
  appointment_ids uuid[] NOT NULL,
  client_ids uuid[] NOT NULL,
  data_request_ids uuid[] NOT NULL
);
CREATE INDEX client_merges_artist ON client_merges (artist_id);
CREATE INDEX client_merges_client ON client_merges (client_id);
CREATE INDEX client_merges_merged ON client_merges (merged_id);
CREATE INDEX client_merges_time ON client_merges (merged_at);

-- What clients ask of their artist about their data: a copy of it, or its erasure.
CREATE TABLE data_requests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  client_id uuid NOT NULL REFERENCES clients ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('copy', 'erasure')),
  asked_at timestamptz NOT NULL,
  -- When the artist did it, or answered; null while it is open.
  done_at timestamptz
);
CREATE INDEX data_requests_client ON data_requests (client_id, asked_at);
CREATE INDEX data_requests_open ON data_requests (artist_id, asked_at, id) WHERE done_at IS NULL;
-- A client has one open request of each kind.
CREATE UNIQUE INDEX data_requests_one_open ON data_requests (client_id, kind) WHERE done_at IS NULL;

-- What visitors wrote to an artist.
CREATE TABLE messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  name text NOT NULL,
  email text NOT NULL,
  -- The hash of the sender's mailbox (database/hashed_keys.ts): the same for all spellings of their email.
  mailbox text NOT NULL,
  message text NOT NULL,
  -- The network that sent it, as in `appointments.network`; null after some weeks.
  network text,
  -- When the studio showed it to the artist.
  read_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX messages_artist ON messages (artist_id, created_at DESC);
CREATE INDEX messages_mailbox ON messages (artist_id, mailbox);
CREATE INDEX messages_unread ON messages (artist_id) WHERE read_at IS NULL;
CREATE INDEX messages_network ON messages (created_at) WHERE network IS NOT NULL;

-- Senders whose requests and messages the artist does not accept.
CREATE TABLE blocked_senders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('email', 'network')),
  -- The hash of a mailbox, or of a network as in `appointments.network`.
  value text NOT NULL,
  -- What the artist recognizes: `r•••@example.com`, `203.•••`.
  hint text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (artist_id, kind, value)
);

-- Appointments

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

CREATE TABLE appointments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  studio_id uuid NOT NULL REFERENCES studios,
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
  -- What the artist wrote to the client with declining or cancelling.
  artist_note text,
  -- Only the artist reads them. Appointments of one project share them.
  private_notes text,
  -- The sessions of one tattoo have the id of the first one; null: there is only one session.
  project_id uuid,
  -- The price, policy and deposit as they were when the client booked.
  price jsonb,
  booking_policy text,
  deposit jsonb,
  -- A cancelled appointment still uses up its edition of the design.
  keeps_edition boolean NOT NULL DEFAULT false,
  -- Whether the artist has set its time, so that "cancel all" of an alarm leaves it.
  is_set_by_artist boolean NOT NULL DEFAULT false,
  idempotency_key uuid,
  -- What the key stood for when it first came: the same key for something else is refused.
  idempotency_subject text,
  -- Whether only the mailed link confirms the appointment.
  must_prove_email boolean NOT NULL DEFAULT false,
  -- Whether the client has used the mailed link, so that the email is theirs. True for appointments that
  -- the artist entered.
  email_proven boolean NOT NULL DEFAULT false,
  -- Whether the owner of the appointment's email has used its mailed link. Unlike `email_proven`, false
  -- for appointments that the artist entered, and again after the artist corrects the email.
  mail_link_used boolean NOT NULL DEFAULT false,
  -- The network (IPv4 /24, IPv6 /56) from which a client sent the request, for limits and for blocking
  -- it; null for an appointment that the artist entered, and after some weeks.
  network text,
  -- Whether it counts for the limits of networks. Once the client has proven a mailbox at a public
  -- provider, it does not; the owner of a domain proves as many mailboxes as they like.
  counts_for_limits boolean NOT NULL DEFAULT true,
  -- When it began to count for them: when it was requested, or confirmed after its deadline.
  counted_at timestamptz NOT NULL DEFAULT now(),
  -- The alarm that is about the request.
  alarm_id uuid REFERENCES booking_alarms ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX appointments_idempotency ON appointments (artist_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX appointments_inbox ON appointments (artist_id, created_at DESC, id);
CREATE INDEX appointments_client ON appointments (client_id);
CREATE INDEX appointments_design ON appointments (design_id);
CREATE INDEX appointments_service ON appointments (service_id);
CREATE INDEX appointments_studio ON appointments (studio_id);
CREATE INDEX appointments_project ON appointments (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX appointments_alarm ON appointments (alarm_id) WHERE alarm_id IS NOT NULL;
CREATE INDEX appointments_network ON appointments (created_at) WHERE network IS NOT NULL;
CREATE INDEX appointments_counted ON appointments (artist_id, counted_at) WHERE network IS NOT NULL;
-- Whether another client of the artist has used an email. Also for the links that a client asks for.
CREATE INDEX appointments_email ON appointments (artist_id, lower(email));
-- Holds that reserve no time: the minutely tasks look for them.
CREATE INDEX appointments_unreserved ON appointments (id)
  WHERE status = 'held' AND must_prove_email;

-- Times that appointments keep, or kept. `blocked` is `during` and the buffer as it was when booked.
CREATE TABLE appointment_times (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  appointment_id uuid NOT NULL REFERENCES appointments ON DELETE CASCADE,
  artist_id uuid NOT NULL REFERENCES artists ON DELETE CASCADE,
  studio_id uuid NOT NULL REFERENCES studios,
  during tstzrange NOT NULL CHECK (NOT isempty(during)),
  blocked tstzrange NOT NULL CHECK (blocked @> during),
  occupies boolean NOT NULL,
  -- The client's deadline to confirm a hold or an offer; null without one.
  expires_at timestamptz,
  -- No two kept times of an artist overlap, whatever the program believes.
  CONSTRAINT no_double_booking
    EXCLUDE USING gist (artist_id WITH =, blocked WITH &&) WHERE (occupies)
);
CREATE INDEX appointment_times_appointment ON appointment_times (appointment_id);
CREATE INDEX appointment_times_during ON appointment_times USING gist (artist_id, during);
CREATE INDEX appointment_times_start ON appointment_times (lower(during)) WHERE occupies;
CREATE INDEX appointment_times_studio ON appointment_times (studio_id);
CREATE INDEX appointment_times_expiry ON appointment_times (expires_at)
  WHERE occupies AND expires_at IS NOT NULL;

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

-- The last change of each artist's address or time zone, for as long as it can be undone.
CREATE TABLE studio_changes (
  artist_id uuid PRIMARY KEY REFERENCES artists ON DELETE CASCADE,
  -- The mails about the change wait until then.
  undo_until timestamptz NOT NULL,
  undone_at timestamptz,
  -- The fields of `studios` that undoing sets again.
  studio_before jsonb NOT NULL,
  -- The times of appointments that moved, before and after.
  moved_times jsonb NOT NULL,
  mail_ids uuid[] NOT NULL,
  -- The mails of the previous change that waited for its undo: undoing this change queues them again.
  replaced_mail_ids uuid[] NOT NULL,
  -- The studio as clients with a waiting mail know it; otherwise `studio_before`.
  studio_known jsonb NOT NULL
);

-- Mail

-- A mail to one person about something that happened. It holds the facts of that moment, so that it
-- outlives the rows that it is about; its text is written when it is sent.
CREATE TABLE mails (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  artist_id uuid REFERENCES artists ON DELETE SET NULL,
  -- The artist for whom it is sent; unlike `artist_id`, it stays when the account is deleted.
  sender_id uuid NOT NULL,
  appointment_id uuid REFERENCES appointments ON DELETE SET NULL,
  -- The client whom a mail is about, also when the appointment is deleted; null for mails about none, for
  -- requests about data (found by the request), and for those that name only an email. No foreign key: a
  -- mail outlives its client's row.
  client_id uuid,
  -- What it is sent for: one cause never makes a second mail.
  cause text NOT NULL UNIQUE,
  notice jsonb NOT NULL,
  address text NOT NULL,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'sent', 'failed', 'dropped')),
  -- Whether no mail server got a sent mail: it was only saved as a file, because SMTP_URL was not set.
  is_only_saved boolean NOT NULL DEFAULT false,
  -- What the mail server said, without the address.
  failure text,
  -- Who caused it: the network that typed the address, or the artist's id. Networks are deleted after 30 days.
  source text,
  -- The order of the events: `created_at` is the start of a transaction, which may commit later than
  -- a transaction that started later.
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  -- Mails with the same thread go out one after another: `<appointment>:client` or
  -- `<appointment>:artist`. Unlike `appointment_id`, it stays when the appointment is deleted.
  thread text,
  -- The job that hands it to the mail server: from then until the result is known.
  claimed_by text,
  -- Whether the artist had it sent again.
  is_resent boolean NOT NULL DEFAULT false,
  -- The mail that has its content too.
  merged_into uuid REFERENCES mails ON DELETE SET NULL,
  -- The hash of the normalized address, once the mail waits.
  mailbox text,
  -- Set while it waits because a budget is used up, and why.
  waits_until timestamptz,
  waits_for text CHECK (waits_for IN ('mailbox', 'artist')),
  -- When a job was last enqueued for it after the wait.
  woken_at timestamptz,
  -- The calendar file that came with it, once it is sent.
  calendar_method text CHECK (calendar_method IN ('REQUEST', 'CANCEL')),
  -- For the mails of a deleted account: whether the artist's email was proven, and whether an earlier mail
  -- brought the calendar entry.
  sender_was_proven boolean,
  was_in_calendar boolean,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it was sent, given up or dropped.
  settled_at timestamptz
);
CREATE INDEX mails_appointment ON mails (appointment_id, created_at);
CREATE INDEX mails_artist ON mails (artist_id, created_at DESC, id);
CREATE INDEX mails_client ON mails (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX mails_failed ON mails (artist_id, created_at DESC) WHERE status = 'failed';
CREATE INDEX mails_settled ON mails (settled_at);
-- Of artists who have no account any more.
CREATE INDEX mails_orphaned ON mails (settled_at) WHERE artist_id IS NULL;
CREATE INDEX mails_thread ON mails (thread, position) WHERE thread IS NOT NULL;
CREATE INDEX mails_merged ON mails (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX mails_waiting ON mails (waits_until) WHERE status = 'queued' AND waits_until IS NOT NULL;
CREATE INDEX mails_waiting_mailbox ON mails (mailbox)
  WHERE status = 'queued' AND waits_until IS NOT NULL;
-- Mails that a visitor caused, by their network.
CREATE INDEX mails_network ON mails (created_at) WHERE source <> sender_id::text;
-- Metrics count the queued mails, which are few among many that were sent.
CREATE INDEX mails_queued ON mails (created_at) WHERE status = 'queued';
-- Mails that failed, or that are tried again, for the operator's page.
CREATE INDEX mails_in_trouble ON mails (created_at DESC)
  WHERE status = 'failed' OR (status = 'queued' AND failure IS NOT NULL);
CREATE INDEX mails_data_requested ON mails ((notice->'request'->>'id'))
  WHERE notice->>'kind' = 'data_requested';

-- The email, in lower case, of the person whom a mail without `client_id` is to or about; null if it is
-- about none. For the index: erasing a client locks the calendar, however many mails the artist has.
CREATE FUNCTION person_of_mail(notice jsonb, address text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lower(CASE notice->>'kind'
    WHEN 'links' THEN address
    ELSE coalesce(notice->'message'->>'email', notice->'client'->>'email')
  END)
$$;
CREATE INDEX mails_person ON mails (artist_id, person_of_mail(notice, address)) WHERE client_id IS NULL;

-- Mailboxes (hashed) whose owner has used a mailed link of an artist: as a client, or as this artist. No
-- reference: the proof outlives a deleted account.
CREATE TABLE mailboxes (
  mailbox text NOT NULL,
  artist_id uuid NOT NULL,
  proven_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mailbox, artist_id)
);

-- Mailboxes that want no mail from an artist, or from no artist at all (`artist_id` null). No
-- reference: the wish outlives a deleted account.
CREATE TABLE stopped_mailboxes (
  -- The first 16 bytes of the SHA-256 of the normalized email.
  mailbox_hash text NOT NULL,
  artist_id uuid,
  stopped_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE NULLS NOT DISTINCT (mailbox_hash, artist_id)
);

-- The mails of the last 24 hours that count for a budget; mailbox and source are hashed. No references:
-- the counts outlive deleted accounts.
CREATE TABLE counted_mails (
  mail_id uuid PRIMARY KEY,
  mailbox text NOT NULL,
  source text NOT NULL,
  -- Null for a mail to an artist.
  sender_id uuid,
  -- Whether only its link confirms an appointment.
  is_link_needed boolean NOT NULL,
  -- Whether an artist needs it to keep their account or their calendar safe.
  is_for_safety boolean NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX counted_mails_mailbox ON counted_mails (mailbox, counted_at);
CREATE INDEX counted_mails_sender ON counted_mails (sender_id, is_link_needed, counted_at)
  WHERE sender_id IS NOT NULL;
CREATE INDEX counted_mails_counted ON counted_mails (counted_at);

-- Until when reminders have been looked for.
CREATE TABLE reminder_sweep (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  swept_until timestamptz NOT NULL
);

-- Subscriptions of artists

-- What the card provider reported, once each; a subscription is the sum of its events.
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

-- When billing was first on: the trial of artists who signed up before begins then.
CREATE TABLE billing (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  since timestamptz NOT NULL
);

-- The Explore page

-- The rows that `explore_listings` must have. `created_at` has milliseconds, like times in the code.
-- `paid_until` decides together with `created_at` whether an artist takes bookings while billing is
-- on (src/domain/subscription.ts): `infinity` while a subscription is paid, the first failed payment
-- of the one that failed last, null without a subscription that goes on.
CREATE VIEW listable_artists AS
  SELECT artists.id AS artist_id, date_trunc('milliseconds', artists.created_at) AS created_at,
    lower(btrim(studios.city)) AS city,
    (SELECT max(coalesce(failing_since, 'infinity')) FROM subscriptions
      WHERE customer = artists.payment_customer
        AND status IN ('trialing', 'active', 'past_due', 'unpaid')) AS paid_until
  FROM artists JOIN studios ON studios.id = artists.studio_id
  WHERE is_active AND NOT is_superuser AND is_listed AND email_proven_at IS NOT NULL
    AND scheduling_type IS NOT NULL;

-- The artists on the Explore page: the values that select and sort them come from three tables, and only
-- together in one row can they be indexed. Triggers write it, so that no statement can forget it.
CREATE TABLE explore_listings (
  artist_id uuid PRIMARY KEY REFERENCES artists ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  -- In lower case.
  city text NOT NULL,
  paid_until timestamptz
);
-- Each in the order of a page: of all artists, those with a subscription, and those without a paid
-- one; and the same in one city.
CREATE INDEX explore_listings_all ON explore_listings (created_at DESC, artist_id DESC);
CREATE INDEX explore_listings_subscribed ON explore_listings (created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NOT NULL;
CREATE INDEX explore_listings_unpaid ON explore_listings (created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NULL OR paid_until < 'infinity';
CREATE INDEX explore_listings_city ON explore_listings (city DESC, created_at DESC, artist_id DESC);
CREATE INDEX explore_listings_city_subscribed
  ON explore_listings (city DESC, created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NOT NULL;
CREATE INDEX explore_listings_city_unpaid
  ON explore_listings (city DESC, created_at DESC, artist_id DESC)
  INCLUDE (paid_until) WHERE paid_until IS NULL OR paid_until < 'infinity';
-- For the next grace period that ends.
CREATE INDEX explore_listings_overdue ON explore_listings (paid_until)
  WHERE paid_until < 'infinity';

CREATE FUNCTION update_explore_listing(artist uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- One change of a listing at a time: each of the next statements sees what was committed before.
  PERFORM FROM artists WHERE id = artist FOR NO KEY UPDATE;
  DELETE FROM explore_listings WHERE artist_id = artist
    AND NOT EXISTS (SELECT FROM listable_artists WHERE artist_id = artist);
  INSERT INTO explore_listings SELECT * FROM listable_artists WHERE artist_id = artist
    ON CONFLICT (artist_id) DO UPDATE
      SET created_at = excluded.created_at, city = excluded.city, paid_until = excluded.paid_until;
END $$;

CREATE FUNCTION update_listing_of_artist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM update_explore_listing(NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER update_explore_listing AFTER INSERT OR UPDATE OF is_active, is_superuser, is_listed,
    email_proven_at, scheduling_type, created_at, studio_id, payment_customer ON artists
  FOR EACH ROW EXECUTE FUNCTION update_listing_of_artist();

CREATE FUNCTION update_listing_of_studio() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM update_explore_listing(id) FROM artists WHERE studio_id = NEW.id;
  RETURN NULL;
END $$;
CREATE TRIGGER update_explore_listing AFTER UPDATE OF city ON studios
  FOR EACH ROW WHEN (OLD.city IS DISTINCT FROM NEW.city)
  EXECUTE FUNCTION update_listing_of_studio();

CREATE FUNCTION update_listing_of_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- OLD is null on INSERT, NEW on DELETE.
  PERFORM update_explore_listing(id) FROM artists
    WHERE payment_customer IN (OLD.customer, NEW.customer);
  RETURN NULL;
END $$;
CREATE TRIGGER update_explore_listing AFTER INSERT OR UPDATE OR DELETE ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION update_listing_of_customer();

-- Backups

-- The backups that were made, for the operator's page and the metrics.
CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  finished_at timestamptz NOT NULL DEFAULT now(),
  file text NOT NULL,
  bytes bigint NOT NULL,
  seconds integer NOT NULL
);

-- The ids of deleted persons, accounts, appointments, messages and pictures, and nothing else about them.
-- A restore deletes them again, because the backup may be older than their deletion (decision 0052).
-- Triggers write it, so that no statement can forget it.
CREATE TABLE erasures (
  kind text NOT NULL CHECK (kind IN ('artist', 'client', 'appointment', 'message', 'image')),
  subject_id uuid NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, subject_id)
);
CREATE INDEX erasures_time ON erasures (erased_at);

CREATE FUNCTION record_erasure_of_artist() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO erasures (kind, subject_id) VALUES ('artist', OLD.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER record_erasure AFTER DELETE ON artists
  FOR EACH ROW EXECUTE FUNCTION record_erasure_of_artist();

-- Rows that are deleted together with their artist need no record of their own.
CREATE FUNCTION record_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO erasures (kind, subject_id)
    SELECT TG_ARGV[0], OLD.id WHERE EXISTS (SELECT FROM artists WHERE id = OLD.artist_id)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER record_erasure AFTER DELETE ON clients
  FOR EACH ROW EXECUTE FUNCTION record_erasure('client');
CREATE TRIGGER record_erasure_of_details AFTER UPDATE OF erased_at ON clients
  FOR EACH ROW WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL)
  EXECUTE FUNCTION record_erasure('client');
CREATE TRIGGER record_erasure AFTER DELETE ON appointments
  FOR EACH ROW EXECUTE FUNCTION record_erasure('appointment');
CREATE TRIGGER record_erasure AFTER DELETE ON messages
  FOR EACH ROW EXECUTE FUNCTION record_erasure('message');
CREATE TRIGGER record_erasure AFTER DELETE ON images
  FOR EACH ROW EXECUTE FUNCTION record_erasure('image');

-- Servers and operators

-- What superusers did to accounts and mails of others. It holds no names: of a deleted account only the action
-- stays.
CREATE TABLE admin_actions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  happened_at timestamptz NOT NULL DEFAULT now(),
  -- Who did it.
  superuser_id uuid REFERENCES artists ON DELETE SET NULL,
  kind text NOT NULL,
  -- The artist it is about.
  artist_id uuid REFERENCES artists ON DELETE SET NULL,
  -- Of a mail its kind, of a changed account the names of the changed fields.
  detail text
);
CREATE INDEX admin_actions_superuser ON admin_actions (superuser_id);
CREATE INDEX admin_actions_artist ON admin_actions (artist_id, id);
CREATE INDEX admin_actions_time ON admin_actions (happened_at);

-- The last errors that no client should be able to cause: of answers with a status from 500, and of jobs.
CREATE TABLE server_errors (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  happened_at timestamptz NOT NULL DEFAULT now(),
  -- Null for a job.
  request_id text,
  -- The pattern of the route with its method, never a path; of a job `job` and its queue.
  route text NOT NULL,
  -- Null for a job.
  status integer,
  name text NOT NULL,
  -- PostgreSQL's SQLSTATE or Node's code.
  code text,
  -- Without values.
  message text NOT NULL,
  stack text NOT NULL
);
CREATE INDEX server_errors_time ON server_errors (happened_at);

-- The counts of the rate limits, shared by all processes. The library rate-limiter-flexible defines
-- the columns: `expire` is in milliseconds since 1970.
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expire ON rate_limits (expire);

-- Scripts, styles and fonts of every build that a server has served lately, under their hashed names.
-- A page of another build, in a cache or a browser tab, finds its files here, also on a server that never
-- had that build.
CREATE TABLE site_assets (
  name text PRIMARY KEY,
  bytes bytea NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now()
);

-- Where servers on this database store pictures, so that two that do not share a store are noticed.
CREATE TABLE image_stores (
  -- Of a bucket its address; of a folder the random name in its file `.store-id`.
  store text NOT NULL,
  -- The name of the machine.
  server text NOT NULL,
  -- The bucket or folder, for people.
  place text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (store, server)
);

-- One row, which health checks write to learn whether the database takes writes.
CREATE TABLE write_probe (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  written_at timestamptz NOT NULL DEFAULT now()
);
