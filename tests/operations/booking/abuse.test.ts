import { expect, test } from 'vitest';
import type { BlockedSender } from '#contract/abuse.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ListPage } from '#contract/common.ts';
import { openArtistApp } from '#support/artist_app.ts';
import {
  bookAs,
  mailsAfterWaits,
  mailTokenOf,
  openLimitedApp,
  type Sender,
} from '#support/limited_app.ts';
import { listSlots } from '#support/test_app.ts';

test('twenty unproven bookings in an hour warn the artist, who cancels them with one call and no mail', async () => {
  const { app, artist, bookWithWork, loadAlarm } = await openLimitedApp();
  const { token } = artist;
  const book = async (n: number) => {
    const booked = await bookWithWork({ address: `198.51.${n}.1`, email: `a${n}@example.com` });
    expect(booked.status).toBe(201);
    return booked.body.id;
  };
  const ids: string[] = [];
  for (let n = 0; n < 19; n += 1) ids.push(await book(n));
  expect(await loadAlarm()).toBeNull();
  expect(await app.mailsAbout(/unusually many/)).toHaveLength(0);
  // One client proves their email: this booking is not a part of the batch.
  const proving = (await mailsAfterWaits(app)).find(({ subject }) =>
    subject?.startsWith('Please confirm'),
  );
  const provenId = /confirmation\/([\w-]+)/.exec(proving?.text ?? '')?.[1] ?? '';
  await app.call(`POST /appointments/confirmation/${provenId}`, {
    json: { mail_token: mailTokenOf(proving?.text) },
  });
  ids.push(await book(19), await book(20));
  expect(await loadAlarm()).toMatchObject({ bookings: 20, networks: 20, confirmed: 0 });
  expect(await app.mailsAbout(/unusually many/)).toHaveLength(1);
  const list = await app.call<ListPage<Appointment>>('GET /appointments/?in_alarm=true', { token });
  expect(list.body.count).toBe(20);
  expect(list.body.data.some(({ id }) => id === provenId)).toBe(false);
  ids.push(await book(21));
  await app.call(`POST /appointments/confirmation/${ids[0] === provenId ? ids[1] : ids[0]}`);
  const mailsBefore = (await app.mails()).length;
  const unsent = await book(22);
  const stranger = await app.newArtist();
  const id = (await loadAlarm())?.id;
  const cancel = (by: string) =>
    app.call(`POST /users/me/booking-alarm/${id}/cancel`, { token: by });
  expect((await cancel(stranger.token)).status).toBe(404);
  expect(await cancel(token)).toMatchObject({ status: 200, body: { cancelled: 22 } });
  expect((await cancel(token)).status).toBe(404);
  expect(await loadAlarm()).toBeNull();
  const closed = await app.call('GET /appointments/?in_alarm=true', { token });
  expect(closed.body).toEqual({ data: [], count: 0 });
  // No mail about the cancellations, and none about the booking whose mail was not sent yet.
  expect(await app.mails()).toHaveLength(mailsBefore);
  const states = await app.database.selectFrom('appointments').select(['id', 'status']).execute();
  expect(states.filter(({ status }) => status === 'cancelled')).toHaveLength(22);
  expect(states.find(({ id: of }) => of === provenId)?.status).toBe('confirmed');
  expect(states.find(({ id: of }) => of === unsent)?.status).toBe('cancelled');
}, 120_000);

test('a blocked address or network gets no booking, request, confirmation, move or other email, until it is unblocked', async () => {
  const { app, artist, token } = await openArtistApp({ database: 'own' });
  const slots = await listSlots(app, artist);
  const book = (nth: number, sender: Sender) => {
    const slot = slots[nth];
    if (!slot) throw new Error('There are too few slots');
    return bookAs(app, artist, slot, sender);
  };
  const first = await book(10, { address: '192.0.2.1', email: 'Pest@Example.com' });
  const block = (json: object, by = token) =>
    app.call<BlockedSender>('POST /users/me/blocked', { token: by, json });
  const byEmail = await block({ email: 'pest+1@example.com' });
  expect(byEmail).toMatchObject({
    status: 201,
    body: { kind: 'email', value: 'p•••@example.com' },
  });
  const detail = 'This artist does not take requests from here.';
  const refusal = { status: 403, body: { detail } };
  const pest = { address: '198.51.100.9', email: 'pest@example.com' };
  expect(await book(12, pest)).toMatchObject(refusal);
  const act = (id: string, action = '', json: object = {}, address = '198.51.100.9') =>
    app.call(`POST /appointments/confirmation/${id}${action}`, { json, address });
  const email = 'rosa@example.com';
  expect(await act(first.body.id)).toMatchObject(refusal);
  expect(await act(first.body.id, '/email', { email })).toMatchObject(refusal);
  const { id: held } = (await book(8, { address: '192.0.2.1', email })).body;
  const { id: booked } = (await book(12, { address: '192.0.2.1', email })).body;
  expect((await act(booked)).status).toBe(200);
  await app.call('PATCH /users/me/schedule', { token, json: { client_move_notice_hours: 0 } });
  const network_of_appointment = first.body.id;
  const stranger = await app.newArtist();
  expect((await block({ network_of_appointment }, stranger.token)).status).toBe(404);
  const byNetwork = await block({ network_of_appointment });
  expect(byNetwork).toMatchObject({ status: 201, body: { kind: 'network', value: '192.•••' } });
  expect(await book(14, { address: '192.0.2.1', email })).toMatchObject(refusal);
  // Their hold is theirs also from elsewhere.
  for (const address of ['192.0.2.1', '203.0.113.7']) {
    expect(await act(held, '', {}, address)).toMatchObject(refusal);
    expect(await act(booked, '/move', { ...slots[14], version: 2 }, address)).toMatchObject(
      refusal,
    );
  }
  expect((await act(booked)).status).toBe(200);
  const list = await app.call<{ data: BlockedSender[] }>('GET /users/me/blocked', { token });
  expect(list.body.data.map(({ kind }) => kind)).toEqual(['network', 'email']);
  // Four networks of one /48 have booked, so it is blocked as a whole.
  const fromIpv6 = (n: number) =>
    book(16 + 2 * n, { address: `2001:db8:1:${n}00::1`, email: `a${n}@example.com` });
  for (const n of [1, 2, 3]) await fromIpv6(n);
  const { id } = (await fromIpv6(4)).body;
  expect((await block({ network_of_appointment: id })).status).toBe(201);
  expect(await fromIpv6(5)).toMatchObject(refusal);
  const unblock = (id: string, by: string) =>
    app.call(`DELETE /users/me/blocked/${id}`, { token: by });
  expect((await unblock(byNetwork.body.id, stranger.token)).status).toBe(404);
  expect((await unblock(byNetwork.body.id, token)).status).toBe(204);
  expect((await book(14, { address: '192.0.2.1', email })).status).toBe(201);
  expect((await act(held, '', {}, '192.0.2.1')).status).toBe(200);
});
