-- Mails that a visitor caused, by their network (column `source`), which is deleted after 30 days.
CREATE INDEX mails_network ON mails (created_at) WHERE source IS DISTINCT FROM artist_id::text AND source IS NOT NULL;
