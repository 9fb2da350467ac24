-- Older servers can run with this migration: they ignore both tables and the index.
-- For the operator's page (decision 0058).

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

-- Mails that failed, or that are tried again: few among many that were sent.
CREATE INDEX mails_in_trouble ON mails (created_at DESC)
  WHERE status = 'failed' OR (status = 'queued' AND failure IS NOT NULL);
