-- Scripts, styles and fonts of every build that a server has served lately, under their hashed names.
-- A page that a cache or a browser tab still has from an earlier build finds its files here, also on a server
-- that never had that build.
CREATE TABLE site_assets (
  name text PRIMARY KEY,
  bytes bytea NOT NULL,
  last_used_at timestamptz NOT NULL DEFAULT now()
);
