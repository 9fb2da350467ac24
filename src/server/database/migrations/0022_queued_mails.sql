-- Older servers can run with this migration: it adds an index only.

-- Metrics count the queued mails, which are few among many that were sent.
CREATE INDEX mails_queued ON mails (created_at) WHERE status = 'queued';
