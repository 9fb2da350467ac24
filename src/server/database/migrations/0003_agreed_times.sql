-- Older servers can run with this migration: they ignore the new columns, and the servers of this version fill in what is missing.

-- What the studio's clocks show at the start as it was agreed, such as 2027-01-13T10:00, and in which zone.
-- When zone data change, clocks show another time at the stored instant, and the artist is asked.
-- Null until a server fills it in, within a minute: for the rows that exist now, and for those of older
-- servers. PostgreSQL does not fill it in: pages and mails were written with Node's zone data, which may
-- differ from its own, and it refuses zones that it does not know.
ALTER TABLE appointment_times
  ADD COLUMN agreed_local text CHECK (agreed_local ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d$'),
  ADD COLUMN agreed_zone text,
  ADD CONSTRAINT agreed_in_a_zone CHECK ((agreed_local IS NULL) = (agreed_zone IS NULL));
CREATE INDEX appointment_times_not_agreed ON appointment_times (lower(during))
  WHERE agreed_local IS NULL;

-- Another zone of the studio makes its times agreed in the earlier one unknown, also when an older server
-- sets it.
CREATE FUNCTION forget_agreed_times() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE appointment_times SET agreed_local = NULL, agreed_zone = NULL
  WHERE studio_id = NEW.id AND agreed_zone <> NEW.time_zone;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_agreed_times AFTER UPDATE OF time_zone ON studios
  FOR EACH ROW WHEN (OLD.time_zone IS DISTINCT FROM NEW.time_zone)
  EXECUTE FUNCTION forget_agreed_times();

-- The same as `undo_until` if the change is the artist's answer to other zone data. Older servers leave it as
-- it is when they store a change of the address or the zone in the same row.
ALTER TABLE studio_changes ADD COLUMN answer_undo_until timestamptz;
