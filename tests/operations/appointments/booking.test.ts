import { expect, test } from 'vitest';
import { DesignRequest, ServiceRequest } from '#contract/appointment.ts';
import { updateArtist } from '#server/database/artists.ts';
import { requestAppointment } from '#server/operations/appointments/booking.ts';
import { openArtistContext } from '#support/artist_app.ts';
import { addArtist, addDesign, addService } from '#support/database_rows.ts';
import { UNKNOWN_ID } from '#support/problems.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';

const SENDER = { network: '192.0.2.0/24', now: Date.now() };
const NOT_FOUND = { reason: 'not_found' };

async function setUp() {
  const { context, artist } = await openArtistContext();
  const { id: service_id } = await addService(context.database, artist);
  const times = { start: '2030-06-03T12:00:00Z', end: '2030-06-03T12:59:00Z' };
  const book = (changes: object = {}) => {
    const request = ServiceRequest.parse({ ...ROSA_DETAILS, service_id, ...times, ...changes });
    return requestAppointment(context, artist.username, request, SENDER);
  };
  return { context, artist, book };
}

test('a service or design of another artist is not found', async () => {
  const { context, book } = await setUp();
  const other = await addArtist(context.database);
  const foreign = await addService(context.database, other);
  await expect(book({ service_id: foreign.id })).rejects.toMatchObject(NOT_FOUND);
  const design = await addDesign(context.database, other);
  await expect(book({ design_id: design.id })).rejects.toMatchObject(NOT_FOUND);
});

test('an artist who has not chosen how to be booked takes neither kind of booking', async () => {
  const { context, artist, book } = await setUp();
  await updateArtist(context.database, artist.id, { scheduling_type: null });
  const refusal = { reason: 'wrong_scheduling_type' };
  await expect(book()).rejects.toMatchObject(refusal);
  const request = DesignRequest.parse(ROSA_DETAILS);
  const asked = requestAppointment(context, artist.username, request, SENDER);
  await expect(asked).rejects.toMatchObject(refusal);
});

test('a request without a username needs an available design', async () => {
  const { context, artist } = await setUp();
  const send = (design_id: string | null) =>
    requestAppointment(
      context,
      undefined,
      DesignRequest.parse({ ...ROSA_DETAILS, design_id }),
      SENDER,
    );
  await expect(send(null)).rejects.toMatchObject({ loc: ['query', 'username'] });
  const hidden = await addDesign(context.database, artist, { status: 'hidden' });
  await expect(send(hidden.id)).rejects.toMatchObject({ reason: 'design_not_available' });
  await expect(send(UNKNOWN_ID)).rejects.toMatchObject(NOT_FOUND);
  const { id } = await addDesign(context.database, artist);
  await updateArtist(context.database, artist.id, { scheduling_type: 'managed' });
  expect(await send(id)).toMatchObject({ status: 'requested', design: { id } });
});
