-- Two clients of an artist who are one person are merged. The merged client's row stays, hidden: who books
-- with its email is the client into whom it was merged.
ALTER TABLE clients ADD COLUMN merged_into uuid REFERENCES clients ON DELETE CASCADE;
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
