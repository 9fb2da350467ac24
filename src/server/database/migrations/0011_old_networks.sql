-- Older servers can run with this migration: it adds an index only.

-- Requests whose networks are old, of all artists. A query about one artist says `network IS NOT NULL`, from which
-- `network > ''` does not follow: so PostgreSQL never takes this index for it.
CREATE INDEX appointments_old_networks ON appointments (counted_at) WHERE network > '';
