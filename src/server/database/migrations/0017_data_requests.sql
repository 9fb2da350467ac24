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
