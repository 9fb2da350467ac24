-- Older servers can run with this migration: mail that they save has the default, and they ignore the table.

-- A mail that no mail server got: it was only saved as a file, because SMTP_URL was not set. Its status is
-- 'sent', as for servers of before, which do not know this column.
ALTER TABLE mails ADD COLUMN is_only_saved boolean NOT NULL DEFAULT false;

-- The places where servers on this database store pictures, so that two that do not share one are noticed.
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
