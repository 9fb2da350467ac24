-- Offers that a server of an earlier version stored as expired: the minutely tasks look for them.
CREATE INDEX appointments_expired_offers ON appointments (id)
  WHERE status = 'expired' AND service_id IS NULL;
