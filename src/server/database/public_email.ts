import { sql } from 'kysely';

/** The email that the page of an artist shows; null if the artist wants none there. */
export const publicEmail = sql<string | null>`CASE artists.public_email_kind
  WHEN 'account' THEN artists.email
  WHEN 'other' THEN artists.other_public_email
END`;
