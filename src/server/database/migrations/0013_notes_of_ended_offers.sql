-- The note of an offer ends with it. Migration 0009 opened requests again and left the note, which the
-- page of a request that is cancelled later would show as a note from the artist.
UPDATE appointments SET artist_note = NULL WHERE status = 'requested' AND artist_note IS NOT NULL;
