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
