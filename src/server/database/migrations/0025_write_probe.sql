-- Older servers can run with this migration: they ignore the table.

-- One row, which health checks write to learn whether the database takes writes.
CREATE TABLE write_probe (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  written_at timestamptz NOT NULL DEFAULT now()
);
