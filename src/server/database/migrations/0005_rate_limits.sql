-- The counts of the rate limits, shared by all processes. The library rate-limiter-flexible defines
-- the columns: `expire` is in milliseconds since 1970.
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expire ON rate_limits (expire);
