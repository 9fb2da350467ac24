-- Metrics count the queued mails, which are few among many that were sent.
CREATE INDEX mails_queued ON mails (created_at) WHERE status = 'queued';
