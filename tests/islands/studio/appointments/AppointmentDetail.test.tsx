import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Appointment } from '#contract/appointment.ts';
import type { Design } from '#contract/design.ts';
import AppointmentsIsland from '#islands/studio/appointments/AppointmentsIsland.tsx';
import { $openAppointment } from '#stores/studio/appointments.ts';
import { sendDeletionsNow } from '#stores/studio/deferred_deletion.ts';
import { NO_DESIGN_FACTS } from '#support/design_facts.ts';
import { type ApiCall, problemResponse } from '#support/fake_api.ts';
import {
  createAppointment,
  createImage,
  toastTexts,
  toListed,
} from '#support/fake_schedule_api.ts';
import {
  findDialog,
  listWrites,
  openStudioPage,
  press,
  resetStudioPage,
  type,
} from '#support/fake_studio_api.ts';

const PRICE = { kind: 'fixed', amount: 15_000, amount_to: null, currency: 'USD' } as const;
const ROSE: Design = {
  ...NO_DESIGN_FACTS,
  id: 'rose',
  name: 'Open rose',
  description: '',
  status: 'available',
  image: createImage('rose'),
  price: PRICE,
  duration: 90,
};
const PLAIN: Design = { ...ROSE, id: 'plain', name: 'Plain swallow', price: null, duration: null };
const BOOKED = createAppointment({ id: 'booked' });
const PAYMENT = {
  id: 'deposit',
  amount: 5000,
  currency: 'USD',
  method: 'cash',
  received_on: '2026-11-24',
} as const;

let answers: Parameters<typeof openStudioPage>[1];
let calls: ApiCall[];

beforeEach(() => {
  // On two pages of the API.
  answers = {
    'GET designs': ({ query }) => ({
      data: [query.get('skip') === '0' ? ROSE : PLAIN],
      count: 201,
    }),
  };
});
afterEach(async () => {
  await sendDeletionsNow();
  await resetStudioPage();
});

/** Opens an appointment beside the list. */
async function openDetail(appointment: Appointment) {
  answers[`GET appointments/${appointment.id}`] ??= appointment;
  answers[`PATCH appointments/${appointment.id}`] ??= appointment;
  calls = openStudioPage(`/studio/appointments?id=${appointment.id}`, answers);
  render(<AppointmentsIsland productName="Linework" />);
  await screen.findByRole('heading', { name: 'Rosa Quint', level: 2 });
  return within(screen.getByRole('region', { name: 'The appointment that is open' }));
}

const fieldValue = (label: string | RegExp) =>
  screen.getByLabelText<HTMLInputElement | HTMLSelectElement>(label).value;
const lastBody = () => listWrites(calls).at(-1)?.body;

test('an appointment without prices, notes, payments and sessions shows nothing of them', async () => {
  const detail = await openDetail(BOOKED);
  for (const text of [/^Price/, /^Deposit/, /^Policy/, /^Private/, /^Outstanding/, /^Sessions/])
    expect(detail.queryByText(text)).toBeNull();
  // Others may want the same only before a decision.
  expect(calls.filter(({ path }) => path.endsWith('/rivals'))).toEqual([]);
});

test('an appointment shows its price, deposit, policy, private notes and payments', async () => {
  const detail = await openDetail({
    ...BOOKED,
    price: PRICE,
    deposit: { amount: 5000, currency: 'USD' },
    booking_policy: 'No refunds.',
    private_notes: 'Afraid of needles.',
    payments: [PAYMENT],
  });
  for (const text of ['$150', '$50', 'No refunds.', 'Afraid of needles.', 'Outstanding: $100'])
    detail.getByText(text);
  detail.getByText('Private notes, only for you');
  detail.getByRole('button', { name: 'Remove $50 in cash, Nov 24, 2026' });
});

test('a payment is noted with its method and day, and suggests what is outstanding', async () => {
  const paid = { ...BOOKED, price: PRICE, payments: [PAYMENT] };
  answers['POST appointments/booked/payments'] = paid;
  await openDetail({ ...BOOKED, price: PRICE });
  await press('Note a payment');
  const dialog = await findDialog('Note a payment');
  expect([fieldValue('Amount'), fieldValue('Day')]).toEqual(['150', '2026-12-01']);
  type('Amount', '0');
  await press('Note payment');
  await dialog.findByText('Must be more than nothing');
  expect(listWrites(calls)).toEqual([]);
  type('Amount', '50');
  await userEvent.selectOptions(dialog.getByLabelText('How'), 'Card');
  type('Day', '2026-11-24');
  answers['GET appointments/booked'] = paid;
  await press('Note payment');
  await screen.findByText('Outstanding: $100');
  expect(lastBody()).toEqual({
    amount: 5000,
    currency: 'USD',
    method: 'card',
    received_on: '2026-11-24',
  });
});

test('a removed payment no longer counts, and Undo brings it back', async () => {
  await openDetail({ ...BOOKED, price: PRICE, payments: [PAYMENT] });
  await press('Remove $50 in cash, Nov 24, 2026');
  await screen.findByText('Outstanding: $150');
  await press('Undo');
  await screen.findByText('Outstanding: $100');
  expect(listWrites(calls)).toEqual([]);
});

test('a design brings its price and length, unless the artist has typed a price', async () => {
  answers['POST appointments'] = BOOKED;
  calls = openStudioPage('/studio/appointments', answers);
  render(<AppointmentsIsland productName="Linework" />);
  await press('Enter an appointment');
  const dialog = await findDialog('Enter an appointment');
  const designs = await dialog.findByLabelText('Design (optional)');
  await userEvent.selectOptions(designs, 'Open rose');
  await waitFor(() => expect([fieldValue('Amount'), fieldValue('Minutes')]).toEqual(['150', '90']));
  await userEvent.selectOptions(designs, 'Plain swallow');
  await waitFor(() => expect(fieldValue('Price')).toBe(''));
  await userEvent.selectOptions(dialog.getByLabelText('Price'), 'A fixed price');
  type('Amount', '99.50');
  await userEvent.selectOptions(designs, 'Open rose');
  expect(fieldValue('Amount')).toBe('99.50');
  type('First name', 'Rosa');
  type(/^A note to the client/, 'Please eat before.');
  type(/^Private notes/, 'Afraid of needles.');
  await press('Enter appointment');
  await waitFor(() => expect(listWrites(calls)).toHaveLength(1));
  expect(lastBody()).toMatchObject({
    design_id: 'rose',
    price: { kind: 'fixed', amount: 9950, currency: 'USD' },
    note: 'Please eat before.',
    private_notes: 'Afraid of needles.',
  });
});

test('the next session has the same client, length and private notes, and a free time three weeks after the last', async () => {
  // Selects lose their initial value in Happy DOM: tests/browser/studio_money.spec.ts has a design.
  const last: Appointment = {
    ...BOOKED,
    service: null,
    private_notes: 'Shy',
    project_id: 'swallow',
  };
  const time = { start: '2026-12-08T15:00:00Z', end: '2026-12-08T15:59:00Z' };
  answers[`GET appointments/by_client/${BOOKED.client.id}`] = toListed(
    last,
    { ...last, ...time, id: 'second' },
    { ...BOOKED, ...time, id: 'other tattoo', end: '2027-01-08T15:59:00Z' },
  );
  // From 10:00 AM on, and its buffer.
  const busy = { start: '2026-12-29T15:00:00Z', end: '2026-12-29T15:59:00Z' };
  const client = { ...BOOKED.client, first_name: 'Otto' };
  const blocked_until = '2026-12-29T16:14:00Z';
  answers['GET appointments/schedule'] = toListed({ ...BOOKED, ...busy, client, blocked_until });
  answers['POST appointments'] = BOOKED;
  await openDetail(last);
  await press('Book next session');
  const dialog = await findDialog('Book the next session');
  dialog.getByText('Rosa Quint');
  expect(dialog.queryByLabelText('First name')).toBeNull();
  expect([fieldValue(/^Private notes/), fieldValue('Minutes')]).toEqual(['Shy', '60']);
  // The services come after the dialog has opened.
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText(/^Service/)));
  await waitFor(() => expect(fieldValue('Start')).toBe('12:00'));
  expect(fieldValue('Day')).toBe('2026-12-29');
  await press('Book session');
  await waitFor(() => expect(listWrites(calls)).toHaveLength(1));
  expect(lastBody()).toMatchObject({
    client_id: BOOKED.client.id,
    design_id: null,
    price: null,
    next_session_of: 'booked',
  });
  // The API shares them: an unchanged text must not overwrite a newer one.
  expect(lastBody()).not.toHaveProperty('private_notes');
});

test('edited details send only what changed, and a taken design shows its reason', async () => {
  await openDetail({ ...BOOKED, service: null, note: 'Bring a friend.' });
  await press('Edit details');
  await findDialog('Edit details');
  type(/^Private notes/, 'Afraid of needles.');
  await press('Save details');
  await waitFor(() => expect(toastTexts()).toEqual(['Saved. Clients do not see these notes.']));
  const { version, private_version } = BOOKED;
  expect(lastBody()).toEqual({ private_notes: 'Afraid of needles.', version, private_version });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  answers['PATCH appointments/booked'] = problemResponse(409, 'This design is taken as often.');
  await press('Edit details');
  const again = await findDialog('Edit details');
  await userEvent.selectOptions(await again.findByLabelText('Design (optional)'), 'Open rose');
  await press('Save details');
  await again.findByText(/^This design is taken as often\./);
  expect(lastBody()).toMatchObject({ design_id: 'rose', price: { amount: 15_000 } });
});

test('a cancellation asks about the design only if its editions are limited', async () => {
  answers['GET appointments/booked'] = () => booked;
  let booked = { ...BOOKED, design: ROSE };
  await openDetail(booked);
  await press('Cancel appointment');
  expect((await findDialog('Cancel this appointment?')).queryByRole('checkbox')).toBeNull();
  await press('Keep it');
  booked = { ...BOOKED, design: { ...ROSE, editions: 1, left: 0 } };
  await act(async () => $openAppointment.revalidate());
  await press('Cancel appointment');
  const dialog = await findDialog('Cancel this appointment?');
  await userEvent.click(dialog.getByLabelText('Keep the design taken: nobody else can book it'));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel appointment' }));
  await waitFor(() => expect(lastBody()).toMatchObject({ keep_edition: true }));
});

test('deleting an appointment says what else is gone', async () => {
  await openDetail({ ...BOOKED, status: 'cancelled', keeps_edition: true, payments: [PAYMENT] });
  await press('Delete');
  const dialog = await findDialog('Delete this appointment?');
  dialog.getByText('The payments that you noted for it are deleted too.');
  dialog.getByText('Clients can book its design again.');
});

test('a request for a taken design says so; an offer has its length and a free time after today, and after the sessions of its tattoo, unless another was typed, its details no note to the client', async () => {
  answers[`GET appointments/by_client/${BOOKED.client.id}`] = () => earlier;
  answers['GET appointments/schedule'] = toListed({
    ...BOOKED,
    ...{ start: '2026-12-02T15:00:00Z', end: '2026-12-02T15:59:00Z' },
    blocked_until: '2026-12-02T15:59:00Z',
  });
  let earlier = toListed();
  const time = { start: null, end: null, service: null, project_id: 'swallow' };
  const design = { ...ROSE, left: 0 };
  const detail = await openDetail({ ...BOOKED, ...time, status: 'requested', design });
  detail.getByText('Taken as often as it may be tattooed');
  expect(detail.queryByRole('button', { name: 'Book next session' })).toBeNull();
  await press('Edit details');
  const dialog = await findDialog('Edit details');
  dialog.getByLabelText(/^Private notes/);
  expect(dialog.queryByLabelText(/^A note to/)).toBeNull();
  await press('Close');
  await press('Offer a time');
  await findDialog(/^Offer .* a time$/);
  expect(fieldValue('Minutes')).toBe('90');
  await waitFor(() =>
    expect([fieldValue('Day'), fieldValue('Start')]).toEqual(['2026-12-02', '11:00']),
  );
  // Not dirty, so that no question follows.
  await press('Close');
  const inMay = { start: '2027-05-03T14:00:00Z', end: '2027-05-03T14:59:00Z' };
  earlier = toListed({ ...BOOKED, project_id: 'swallow' }, { ...BOOKED, ...inMay, id: 'other' });
  await press('Offer a time');
  await waitFor(() =>
    expect([fieldValue('Day'), fieldValue('Start')]).toEqual(['2026-12-04', '10:00']),
  );
  await press('Close');
  answers['GET appointments/schedule'] = () => {
    // As typed while the suggestion loads: another day, and the default again.
    for (const day of ['2026-12-05', '2026-12-02']) type('Day', day);
    return toListed();
  };
  await press('Offer a time');
  await press('Make the offer');
  await waitFor(() => expect(lastBody()).toMatchObject({ start: { local: '2026-12-02T10:00' } }));
});

test('a request appears together with others who want the same design, and a link to each', async () => {
  const request = { ...BOOKED, status: 'requested', design: { ...ROSE, editions: 1 } } as const;
  const client = { ...BOOKED.client, first_name: 'Otto', last_name: 'Brandt' };
  let wasShown = true;
  answers['GET appointments/booked/rivals'] = () => {
    wasShown = screen.queryByRole('button', { name: 'Offer a time' }) !== null;
    return toListed({ ...request, id: 'otto', client });
  };
  await openDetail(request);
  expect(wasShown).toBe(false);
  const rivals = within(screen.getByRole('list', { name: 'Others want the same design' }));
  rivals.getByText('Waiting for your answer');
  expect(rivals.getByRole('link', { name: 'Otto Brandt' }).getAttribute('href')).toContain(
    'id=otto',
  );
});
