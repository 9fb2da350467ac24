import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Appointment, Confirmation } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Availability, Slot } from '#contract/availability.ts';
import type { Design } from '#contract/design.ts';
import type { Service } from '#contract/service.ts';
import { parseAmount, toTypedAmount } from '#domain/money/amount_input.ts';
import { formatPrice } from '#domain/money/price.ts';
import { addDesignRow, expireAppointment } from '#support/app_rows.ts';
import { expectOk } from '#support/call_api.ts';
import { CURRENCIES, LOCALES } from '#support/currencies.ts';
import { fetchConfirmation, openPricedApp } from '#support/priced_app.ts';
import { validationMessages } from '#support/problems.ts';
import {
  addMinutes,
  bookSlot,
  FILLED_FORM,
  findSlot,
  requestSlot,
  shiftSlot,
} from '#support/test_app.ts';

test('what is typed in every currency and locale is what is stored, frozen and shown', async () => {
  const { app, artist, token, setServicePrice } = await openPricedApp();
  const typeAndRead = async (typed: string, currency: string, locale: string, nth: number) => {
    const { amount } = parseAmount(typed, currency, locale);
    const price = { kind: 'fixed', amount, amount_to: null, currency };
    expect((await setServicePrice(price)).price).toEqual(price);
    const held = await bookSlot(app, artist, await findSlot(app, artist, nth));
    await setServicePrice({ ...price, amount: 1 });
    const shown = (await fetchConfirmation(app, held.id)).price;
    const own = app.call<Appointment>(`GET /appointments/${held.id}`, { token });
    expect((await expectOk(own)).price).toEqual(shown);
    return shown;
  };
  for (const [index, currency] of CURRENCIES.entries()) {
    const locale = LOCALES[index % LOCALES.length] ?? 'en-US';
    const amount = 123_456 + index;
    const typed = toTypedAmount({ amount, currency }, locale);
    const shown = await typeAndRead(typed, currency, locale, 10 + index);
    expect(shown, `${typed} ${currency} in ${locale}`).toMatchObject({ amount, currency });
  }
  const texts = [
    ['1.234,50', 'EUR', 'de-DE', '1.234,50 €'],
    ['15,000', 'JPY', 'ja-JP', '￥15,000'],
    ['12.345', 'KWD', 'en-US', 'KWD 12.345'],
    ['150', 'USD', 'en-US', '$150'],
  ] as const;
  for (const [index, [typed, currency, locale, text]] of texts.entries()) {
    const shown = await typeAndRead(typed, currency, locale, 40 + index);
    expect(shown && formatPrice(shown, locale).replaceAll(/\s/g, ' ')).toBe(text);
  }
});

test('the currency follows the country until the artist chooses one; prices that are set keep theirs', async () => {
  const { app, artist, token, change, setServicePrice } = await openPricedApp();
  await setServicePrice({ kind: 'fixed', amount: 100 });
  const me = (changes: object) => change<CurrentArtist>('/users/me', changes);
  expect(await me({ country: 'DE' })).toMatchObject({ country: 'DE', currency: 'EUR' });
  expect(await me({ currency: 'CHF' })).toMatchObject({ country: 'DE', currency: 'CHF' });
  expect(await me({ country: 'JP' })).toMatchObject({ country: 'JP', currency: 'CHF' });
  expect(await me({ currency: null, country: null })).toMatchObject({
    ...{ country: 'US', currency: 'USD' },
  });
  const service = app.call<Service>(`GET /services/${artist.service.id}`, { token });
  expect((await expectOk(service)).price?.currency).toBe('USD');
});

test.each([
  [{ kind: 'fixed' }, 'body.price.amount', /number|required|whole/i],
  [{ kind: 'fixed', amount: 1.5 }, 'body.price.amount', /whole number/],
  [{ kind: 'fixed', amount: -1 }, 'body.price.amount', /negative/],
  [{ kind: 'fixed', amount: 1e12 }, 'body.price.amount', /too large/],
  [{ kind: 'range', amount: 5, amount_to: 5 }, 'body.price.amount_to', /more than the lower/],
  [{ kind: 'fixed', amount: 5, currency: 'XXZ' }, 'body.price.currency', /ISO 4217/],
  [{ kind: 'cheap', amount: 5 }, 'body.price.kind', /./],
])('the price %j is refused at its field', async (price, field, message) => {
  const { app, artist, token } = await openPricedApp();
  const answer = await app.call(`PATCH /services/${artist.service.id}`, { token, json: { price } });
  expect(validationMessages(answer)[field]).toMatch(message);
});

test('a design’s own price, at the time of the booking or request, counts before that of its service', async () => {
  const { app, artist, change, setServicePrice } = await openPricedApp();
  await setServicePrice({ kind: 'fixed', amount: 100 });
  const { id } = await addDesignRow(app, artist);
  const book = async (nth: number) =>
    (await bookSlot(app, artist, await findSlot(app, artist, nth), { design_id: id })).price;
  expect(await book(20)).toMatchObject({ amount: 100 });
  await change(`/designs/${id}`, { price: { kind: 'from', amount: 900 } });
  expect(await book(22)).toMatchObject({ kind: 'from', amount: 900 });
  await change('/users/me', { scheduling_type: 'managed' });
  const { body } = await app.call<Confirmation>(
    `POST /appointments/request/design?username=${artist.username}`,
    { json: { ...FILLED_FORM, design_id: id } },
  );
  await change(`/designs/${id}`, { price: { kind: 'fixed', amount: 1 } });
  expect((await fetchConfirmation(app, body.id)).price).toMatchObject({ amount: 900 });
});

test('a request names the service that the client chose, with its price; another artist’s is not found', async () => {
  const { app, artist, change, setServicePrice } = await openPricedApp();
  await setServicePrice({ kind: 'fixed', amount: 100 });
  await change('/users/me', { scheduling_type: 'managed' });
  const request = (service_id: string) =>
    app.call<Confirmation>(`POST /appointments/request/design?username=${artist.username}`, {
      json: { ...FILLED_FORM, service_id },
    });
  const { body } = await request(artist.service.id);
  expect(body).toMatchObject({ status: 'requested', service: { id: artist.service.id } });
  expect(body.price).toMatchObject({ amount: 100 });
  const other = await app.newArtist();
  expect((await request(other.service.id)).status).toBe(404);
});

test('policy and deposit are frozen when a client books', async () => {
  const { app, artist, change } = await openPricedApp();
  const booking_policy = 'Free changes until 48 hours before';
  await change('/users/me', { booking_policy, deposit: { amount: 5000 } });
  const page = app.call(`GET /users/artist/${artist.username}/pages/scheduling`);
  const deposit = { amount: 5000, currency: 'USD' };
  expect(await expectOk(page)).toMatchObject({ booking_policy, deposit });
  const held = await bookSlot(app, artist, await findSlot(app, artist));
  await change('/users/me', { booking_policy: 'No changes', deposit: null });
  expect(await fetchConfirmation(app, held.id)).toMatchObject({ booking_policy, deposit });
});

/** A design that is booked without a service, with its free times. */
async function setUpLongDesign() {
  const opened = await openPricedApp();
  const { app, artist, change } = opened;
  const { id } = await addDesignRow(app, artist);
  await change<Design>(`/designs/${id}`, { duration: 150 });
  const soon = new Date(Date.now() + 20 * 86_400_000);
  const query = `year=${soon.getUTCFullYear()}&month=${soon.getUTCMonth() + 1}`;
  const times = app.call<Availability>(`GET /designs/${id}/availability?${query}`);
  const slot = (await expectOk(times)).data.flatMap(({ windows }) => windows).at(-1);
  if (!slot) throw new Error('No time is free');
  const book = (json: object) =>
    app.call<Confirmation>(`POST /appointments/request/service?username=${artist.username}`, {
      json: { ...FILLED_FORM, design_id: id, service_id: null, ...slot, ...json },
      headers: { 'Idempotency-Key': randomUUID() },
    });
  return { ...opened, designId: id, slot, book };
}

test('a design with a length of its own lists times of that length, and is booked without a service', async () => {
  const { app, slot, book } = await setUpLongDesign();
  expect(slot.end).toBe(addMinutes(slot.start, 149));
  const { status, body } = await book({});
  expect([status, body.service, body.start, body.end]).toEqual([201, null, slot.start, slot.end]);
  const confirmed = app.call<Confirmation>(`POST /appointments/confirmation/${body.id}`);
  expect((await confirmed).body.status).toBe('confirmed');
});

test('such a design is refused with a service or an end that does not belong to it', async () => {
  const { artist, slot, book } = await setUpLongDesign();
  const CHANGED = 'This service has changed. Please choose again.';
  const short: Slot = { start: slot.start, end: addMinutes(slot.start, 59) };
  const withService = await book({ service_id: artist.service.id, ...short });
  expect(validationMessages(withService)).toEqual({ 'body.service_id': CHANGED });
  expect(validationMessages(await book(short))).toEqual({ 'body.end': CHANGED });
  const anyDesign = await book({ design_id: null });
  expect(validationMessages(anyDesign)).toEqual({ 'body.service_id': 'Is required' });
});

test('an expired hold of a design whose length has changed or is gone cannot be booked again', async () => {
  const { app, designId, change, book } = await setUpLongDesign();
  const { body } = await book({});
  await expireAppointment(app, body.id);
  for (const duration of [60, null]) {
    await change(`/designs/${designId}`, { duration });
    expect(await app.call(`POST /appointments/confirmation/${body.id}`)).toMatchObject({
      status: 409,
      body: { detail: 'This service has changed. Please choose again.' },
    });
  }
});

test('a client may move such an appointment to another listed time, until the design is hidden', async () => {
  const { app, designId, change, slot, book } = await setUpLongDesign();
  await change('/users/me/schedule', { client_move_notice_hours: 0 });
  const { body } = await book({});
  await app.call(`POST /appointments/confirmation/${body.id}`);
  const moveEarlier = (minutes: number) =>
    app.call<Confirmation>(`POST /appointments/confirmation/${body.id}/move`, {
      json: shiftSlot(slot, -minutes),
    });
  const moved = await moveEarlier(60);
  expect([moved.status, moved.body.start]).toEqual([200, addMinutes(slot.start, -60)]);
  await change(`/designs/${designId}`, { status: 'hidden' });
  expect((await fetchConfirmation(app, body.id)).can).not.toContain('move');
  expect((await moveEarlier(120)).status).toBe(409);
});

test('a design with a service is booked with that one only, as long as clients can book it', async () => {
  const { app, artist, token, change } = await openPricedApp();
  const { id } = await addDesignRow(app, artist);
  const json = { name: 'Long', duration: 60 };
  const other = await expectOk(app.call<Service>('POST /services', { token, json }));
  await change(`/designs/${id}`, { service_id: other.id });
  const slot = await findSlot(app, artist);
  const book = (service_id: string) =>
    requestSlot(app, artist, slot, { design_id: id, service_id });
  expect(validationMessages(await book(artist.service.id))).toEqual({
    'body.service_id': 'This service has changed. Please choose again.',
  });
  await change(`/services/${other.id}`, { is_available: false });
  expect((await book(artist.service.id)).status).toBe(201);
});

test('a deleted service is no longer that of its designs', async () => {
  const { app, artist, token, change } = await openPricedApp();
  const { id } = await addDesignRow(app, artist);
  const service_id = artist.service.id;
  expect(await change(`/designs/${id}`, { service_id })).toMatchObject({ service_id });
  await app.call(`DELETE /services/${service_id}`, { token });
  expect((await expectOk(app.call<Design>(`GET /designs/${id}`))).service_id).toBeNull();
});

test('a design has a service or a length: the one that is set removes the other', async () => {
  const { app, artist, token, change } = await openPricedApp();
  const { id } = await addDesignRow(app, artist);
  const set = (json: object) => change<Design>(`/designs/${id}`, json);
  expect(await set({ duration: 90 })).toMatchObject({ duration: 90, service_id: null });
  const service_id = artist.service.id;
  expect(await set({ service_id })).toMatchObject({ duration: null, service_id });
  expect(await set({ duration: 45 })).toMatchObject({ duration: 45, service_id: null });
  const both = { duration: 45, service_id };
  expect(validationMessages(await app.call(`PATCH /designs/${id}`, { token, json: both }))).toEqual(
    {
      'body.duration': 'Choose a service or a length, not both',
    },
  );
  const foreign = (await app.newArtist()).service.id;
  const answer = await app.call(`PATCH /designs/${id}`, { token, json: { service_id: foreign } });
  expect(validationMessages(answer)).toEqual({ 'body.service_id': 'You have no such service' });
});
