import { expect, test } from 'vitest';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import { expectOk } from '#support/calls.ts';
import { aSlot, FILLED_FORM, openStudio, type Studio } from '#support/studio.ts';
import { complaints } from './answers.ts';

/** A client's request to an artist who sets the times. */
async function openRequest() {
  const studio = await openStudio();
  const { token, username } = await studio.artist({ scheduling_type: 'managed' });
  const path = `POST /appointments/request/design?username=${username}`;
  const { id } = await expectOk(studio.call<Confirmation>(path, { json: FILLED_FORM }));
  const change = (json: Record<string, unknown>) =>
    studio.call<Appointment>(`PATCH /appointments/${id}`, { token, json });
  return { studio, id, token, change };
}

function readConfirmation(studio: Studio, id: string) {
  return expectOk(studio.call<Confirmation>(`GET /appointments/confirmation/${id}`));
}

test('a note that goes with declining is told to the client and the artist', async () => {
  const { studio, id, token, change } = await openRequest();
  expect((await readConfirmation(studio, id)).note).toBeNull();
  const answer = await change({ status: 'declined', note: '  I am away.\nAsk again in July!  ' });
  expect(answer).toMatchObject({ status: 200, body: { note: 'I am away.\nAsk again in July!' } });
  expect((await readConfirmation(studio, id)).note).toBe('I am away.\nAsk again in July!');
  const read = await studio.call<Appointment>(`GET /appointments/${id}`, { token });
  expect(read.body.note).toBe('I am away.\nAsk again in July!');
});

test('a note goes with cancelling too, and a blank one is none', async () => {
  const { studio, id, change } = await openRequest();
  expect(await change({ status: 'cancelled', note: '   ' })).toMatchObject({ status: 200 });
  expect(await readConfirmation(studio, id)).toMatchObject({ status: 'cancelled', note: null });
});

test('a note goes with nothing else, and a refused one leaves nothing behind', async () => {
  const { studio, id, change } = await openRequest();
  const times = await aSlot(studio, await studio.artist());
  for (const json of [
    { ...times, note: 'See you' },
    { status: 'completed', note: 'Well done' },
  ])
    expect(complaints(await change(json))).toEqual({
      'body.note': 'A note goes with declining or cancelling',
    });
  expect(complaints(await change({ status: 'declined', note: 'x'.repeat(2001) }))).toEqual({
    'body.note': 'Must be at most 2000 characters',
  });
  expect(await change({ status: 'declined', note: 'Late', version: 7 })).toMatchObject({
    status: 409,
  });
  expect(await readConfirmation(studio, id)).toMatchObject({ status: 'requested', note: null });
});
