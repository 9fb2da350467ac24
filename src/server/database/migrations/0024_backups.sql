-- Older servers can run with this migration: they ignore both tables, and triggers record their deletions.
-- For backups (decision 0052).

-- The ids of deleted persons, accounts, appointments, messages and pictures, and nothing else about them.
-- A restore deletes them again, because the backup may be older than their deletion.
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

-- The backups that were made, for the operator's page and the metrics.
CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  finished_at timestamptz NOT NULL DEFAULT now(),
  file text NOT NULL,
  bytes bigint NOT NULL,
  seconds integer NOT NULL
);
