-- Older servers can run with this migration: they ignore the new columns, and triggers raise the versions.

-- Raised by each change of the private notes, so that a second device does not overwrite unseen ones.
-- The version of the appointment counts what its client sees.
ALTER TABLE appointments ADD COLUMN private_version integer NOT NULL DEFAULT 1;
-- Raised by each change of the notes.
ALTER TABLE clients ADD COLUMN version integer NOT NULL DEFAULT 1;

CREATE FUNCTION raise_private_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.private_version := OLD.private_version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER raise_private_version BEFORE UPDATE OF private_notes ON appointments
  FOR EACH ROW WHEN (OLD.private_notes IS DISTINCT FROM NEW.private_notes)
  EXECUTE FUNCTION raise_private_version();

CREATE FUNCTION raise_client_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER raise_version BEFORE UPDATE OF notes ON clients
  FOR EACH ROW WHEN (OLD.notes IS DISTINCT FROM NEW.notes)
  EXECUTE FUNCTION raise_client_version();

-- Whether the artist takes new bookings and requests; null: never set, which counts as open.
ALTER TABLE artists ADD COLUMN books jsonb;
