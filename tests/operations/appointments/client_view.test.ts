import { expect, test } from 'vitest';
import { updateArtist } from '#server/database/artists.ts';
import {
  loadClientAppointment,
  toClientView,
} from '#server/operations/appointments/client_view.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addAppointment, NOON } from '#support/database_rows.ts';

test('the page of an expired hold is shown, without Confirm, when the artist was deactivated meanwhile', async () => {
  const { context, database, artist } = await openArtistContext();
  const id = await addAppointment(database, artist, { status: 'expired' });
  const row = await loadClientAppointment(database, id);
  await updateArtist(database, artist.id, { is_active: false });
  expect(await toClientView(context, row, NOON - 1)).toMatchObject({ status: 'expired', can: [] });
});
