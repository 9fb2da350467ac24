import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Confirmation } from '#contract/appointment.ts';
import { US_CONVENTIONS } from '#domain/time/date_conventions.ts';
import { fillBookingForm } from '#stores/book_again.ts';
import { readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import { createConfirmationStore } from '#stores/confirmation.ts';
import { BLANK_DETAILS } from '#stores/details.ts';
import { readHold, saveHold } from '#stores/saved_hold.ts';
import { $toasts } from '#stores/toasts.ts';
import { saveRequestedEmail } from '#stores/typed_email.ts';
import {
  APPOINTMENT_ID,
  createConfirmation,
  FLASH,
  fakeBookingApi,
  problemResponse,
  refusalResponse,
  TIME_ID,
  zoneWithOffsets,
} from '#support/fake_api.ts';

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  api = fakeBookingApi();
});

/** A hold that has not ended, whenever the test runs. */
const HOLD = {
  appointmentId: APPOINTMENT_ID,
  start: '2026-12-03T15:00:00Z',
  until: new Date(Date.now() + 3_600_000).toISOString(),
  isReserved: true,
};

const createStore = (confirmation: Confirmation, mailToken: string | null = null) =>
  createConfirmationStore({ confirmation, mailToken, conventions: US_CONVENTIONS, refused: null });

const toastMessages = () => $toasts.get().map(({ text }) => text);

test('confirming sends the token of the mailed link, and the version and the time that the client saw', async () => {
  await createStore(createConfirmation({ version: 7 }), 'token').confirm();
  // An expired hold has no time.
  await createStore(createConfirmation({ status: 'expired' })).confirm();
  expect(api.calls.map(({ body }) => body)).toEqual([
    { version: 7, time_id: TIME_ID, mail_token: 'token' },
    { version: 1 },
  ]);
});

test('when the artist has moved it meanwhile, the page shows the new time and says who moved it', async () => {
  const { $confirmation, $notice, confirm } = createStore(createConfirmation({}));
  const start = '2026-12-03T12:20:00Z';
  const moved = { at: '2026-12-01T12:00:00Z', by: 'artist', what: 'moved', start } as const;
  api.answerNext(problemResponse(409, 'This appointment has changed in the meantime.'));
  api.answerNext(Response.json(createConfirmation({ version: 2, start, history: [moved] })));
  await confirm();
  expect($confirmation.get()).toMatchObject({ version: 2, start });
  expect($notice.get()?.text).toBe('Ana Reyes moved this to 7:20 AM.');
  // The second press confirms what the client sees now.
  await confirm();
  expect(api.calls.at(-1)?.body['version']).toBe(2);
});

test('when the studio has a new address that nobody was mailed about, the page says so', async () => {
  const confirmation = createConfirmation({});
  const { $notice, confirm } = createStore(confirmation);
  const studio = { ...confirmation.user.studio, address_one: '2 New Street' };
  api.answerNext(problemResponse(409, 'This appointment has changed in the meantime.'));
  api.answerNext(
    Response.json(createConfirmation({ version: 2, user: { ...confirmation.user, studio } })),
  );
  await confirm();
  expect($notice.get()?.text).toBe('The studio has a new address.');
});

const ELEVEN = { start: '2026-12-03T16:00:00Z', end: '2026-12-03T16:59:00Z' };

test('after the studio has got another time zone, times and dates are those of the new zone', async () => {
  const confirmation = createConfirmation({ status: 'expired' });
  const { user } = confirmation;
  const studio = { ...user.studio, ...zoneWithOffsets('Asia/Tokyo') };
  const { $confirmation, $notice, confirm } = createStore(confirmation);
  api.answerNext(refusalResponse('time_taken', { nearest: [ELEVEN] }));
  api.answerNext(Response.json({ ...confirmation, user: { ...user, studio } }));
  await confirm();
  expect($notice.get()?.text).toBe('Fri, Dec 4, 12:00 AM is taken. Free times near it:');
  fillBookingForm($confirmation.get(), ELEVEN);
  expect(readBookingDraft('ana').slot?.date).toBe('2026-12-04');
});

test.each([
  ['in another browser', null, ''],
  ['where it was booked', 'rosa@example.com', 'rosa@example.com'],
])('the booking form is filled with what the page knows: %s', (_, typed, email) => {
  const known = { location: 'arms', customer_notes: 'A swallow.' } as const;
  const confirmation = createConfirmation({ ...known, email_hint: 'r•••@example.com' });
  if (typed) saveRequestedEmail(confirmation, typed);
  const store = createStore(confirmation);
  store.showTypedEmails();
  fillBookingForm(store.$confirmation.get(), ELEVEN);
  expect(readBookingDraft('ana').details).toEqual({
    ...BLANK_DETAILS,
    ...known,
    email,
    first_name: 'Rosa',
  });
});

test('after a confirmation, its hold and what was typed into the form are forgotten', async () => {
  saveHold('ana', { ...HOLD, details: BLANK_DETAILS });
  saveBookingDraft('ana', { details: { ...BLANK_DETAILS, first_name: 'Rosa' } });
  const { confirm } = createStore(createConfirmation({}));
  api.answerNext(Response.json(createConfirmation({ status: 'confirmed', confirmed: true })));
  await confirm();
  expect(readHold('ana')).toBeNull();
  expect(readBookingDraft('ana').details).toBeNull();
});

test('picking another time releases the hold, which stays until then, and keeps what was typed', async () => {
  const details = { ...BLANK_DETAILS, email: 'rosa@example.com' };
  saveHold('ana', { ...HOLD, details });
  const { pickAnotherTime } = createStore(createConfirmation({}));
  api.answerNext('lost');
  expect(await pickAnotherTime()).toBeNull();
  expect(readHold('ana')).not.toBeNull();
  api.answerNext(Response.json(createConfirmation({ status: 'cancelled' })));
  expect(await pickAnotherTime()).toBe(`/ana/scheduling?service=${FLASH.id}`);
  expect(readHold('ana')).toBeNull();
  expect(readBookingDraft('ana')).toMatchObject({ details, slot: null });
});

describe('a page that stays open', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-12-01T15:00:00Z') });
  });

  test('reads the appointment again when its deadline passes, until it can', async () => {
    const { $confirmation, watchDeadline } = createStore(createConfirmation({}));
    const stop = watchDeadline();
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect(api.calls).toEqual([]);
    api.answerNext('lost');
    await vi.advanceTimersByTimeAsync(2_000);
    api.answerNext(Response.json(createConfirmation({ status: 'expired', lapses_at: null })));
    await vi.advanceTimersByTimeAsync(60_000);
    expect($confirmation.get().status).toBe('expired');
    expect(api.calls.map(({ method }) => method)).toEqual(['GET', 'GET']);
    stop();
    await vi.advanceTimersByTimeAsync(7 * 24 * 3_600_000);
    expect(api.calls).toHaveLength(2);
  });

  test('asks again only twice a minute while the server’s clock is behind', async () => {
    const past = createConfirmation({ lapses_at: '2026-12-01T14:59:00Z' });
    const stop = createStore(past).watchDeadline();
    for (const _ of [1, 2, 3]) api.answerNext(Response.json(past));
    await vi.advanceTimersByTimeAsync(61_000);
    expect(api.calls).toHaveLength(2);
    stop();
  });
});

test('a second press while confirming sends nothing', async () => {
  const { $running, confirm } = createStore(createConfirmation({}));
  const first = confirm();
  expect($running.get()).toBe('confirm');
  expect(await confirm()).toBe(false);
  expect(await first).toBe(true);
  expect(api.calls).toHaveLength(1);
  expect($running.get()).toBeNull();
});

test('a conflict shows its reason, and the current state of the appointment once it can be read', async () => {
  const { $confirmation, confirm } = createStore(createConfirmation({}));
  const cancelled = Response.json(createConfirmation({ status: 'cancelled' }));
  const answers = [['lost', 'held'] as const, [cancelled, 'cancelled'] as const];
  for (const [answer, status] of answers) {
    api.answerNext(problemResponse(409, 'It was cancelled'));
    api.answerNext(answer);
    expect(await confirm()).toBe(false);
    expect([...toastMessages(), $confirmation.get().status]).toEqual(['It was cancelled', status]);
  }
});

test('a refused Confirm can be tried again after the page has read the appointment once more', async () => {
  const { $notice, $refusedConfirm, confirm, reload } = createStore(createConfirmation({}));
  const unchanged = () => Response.json(createConfirmation({}));
  api.answerNext(refusalResponse('time_taken'));
  api.answerNext(unchanged());
  await confirm();
  expect([$refusedConfirm.get()?.reason, $notice.get()]).toEqual(['time_taken', expect.anything()]);
  api.answerNext(unchanged());
  await reload();
  expect([$refusedConfirm.get(), $notice.get()]).toEqual([null, null]);
});

test('a lost connection shows that it is safe to try again, until the client does, and reads nothing', async () => {
  const { act, confirm } = createStore(createConfirmation({}));
  api.answerNext('lost');
  expect(await confirm()).toBe(false);
  expect(toastMessages()).toEqual(['The connection was lost. It is safe to try again.']);
  expect(api.calls).toHaveLength(1);
  const confirming = confirm();
  expect(toastMessages()).toEqual([]);
  await confirming;
  api.answerNext('lost');
  await act({ kind: 'release' });
  expect($toasts.get().map(({ title }) => title)).toEqual(['The connection was lost.']);
});

test('an answer that is older than a confirmation does not undo it on the page', async () => {
  const { $confirmation, confirm, reload } = createStore(createConfirmation({}));
  const late = Promise.withResolvers<Response>();
  api.answerNext(late.promise);
  const reloading = reload();
  const confirmed = createConfirmation({ status: 'confirmed', confirmed: true, version: 2 });
  api.answerNext(Response.json(confirmed));
  expect(await confirm()).toBe(true);
  late.resolve(Response.json(createConfirmation({})));
  await reloading;
  expect($confirmation.get()).toMatchObject({ status: 'confirmed', version: 2 });
});

test('emails typed here are shown whole, until somebody else changes them, and the earlier link’s token is not sent', async () => {
  const event = { what: 'email_changed', at: '2026-12-01T15:00:00Z', start: null } as const;
  const history = [{ ...event, by: 'client' as const }];
  const changed = createConfirmation({ email_proven: false, history });
  const waiting = createConfirmation({
    new_email_hint: 'n•••@example.com',
    new_email_asked_at: '2026-12-01T15:00:00.000001Z',
  });
  const store = createStore(createConfirmation({}), 'token');
  const shown = (confirmation: Confirmation) => {
    store.$confirmation.set(confirmation);
    store.showTypedEmails();
    const { email_hint, new_email_hint } = store.$confirmation.get();
    return [email_hint, new_email_hint];
  };
  const change = async (email: string, answer: Confirmation) => {
    api.answerNext(Response.json(answer));
    await store.act({ kind: 'change_email', body: store.emailBody(email) });
    return [...shown(answer), store.$mailToken.get()];
  };
  // The proven one stays until its owner agrees.
  const asked = await change('new@example.com', waiting);
  expect(asked).toEqual(['r•••@example.com', 'new@example.com', 'token']);
  expect(api.calls[0]?.body).toEqual({ email: 'new@example.com', mail_token: 'token' });
  // Another one that looks alike.
  const replaced = { ...waiting, new_email_asked_at: '2026-12-01T15:00:00.000002Z' };
  expect(shown(replaced)).toEqual(['r•••@example.com', 'n•••@example.com']);
  const pasted = await change('mailto:rosa@example.com?subject=Hi', changed);
  expect(pasted).toEqual(['rosa@example.com', null, null]);
  expect(toastMessages()).toContain('We mail you at rosa@example.com now.');
  await change('rosa@example.com', { ...changed, status: 'confirmed' });
  expect(toastMessages()).toContain('We mail you at rosa@example.com now.');
  expect(shown({ ...changed, email_hint: null })).toEqual([null, null]);
  const corrected = { ...changed, history: [...history, { ...event, by: 'artist' as const }] };
  expect(shown(corrected)).toEqual(['r•••@example.com', null]);
});

test('a request that is withdrawn is not called an appointment', async () => {
  const request = createConfirmation({ status: 'requested', start: null, end: null });
  const store = createStore(request);
  api.answerNext(Response.json({ ...request, status: 'cancelled' }));
  await store.act({ kind: 'cancel', body: { note: '', version: 1 } });
  expect(toastMessages()).toEqual(['Your request is withdrawn.']);
});

test('a corrected email goes into the form and the saved hold, for another booking', async () => {
  const typed = { ...BLANK_DETAILS, email: 'rosa@gmial.com' };
  saveBookingDraft('ana', { details: typed });
  saveHold('ana', { ...HOLD, details: typed });
  const store = createStore(createConfirmation({}));
  api.answerNext(Response.json(createConfirmation({ email_proven: false })));
  await store.act({ kind: 'change_email', body: { email: 'rosa@gmail.com' } });
  expect(readBookingDraft('ana').details?.email).toBe('rosa@gmail.com');
  expect(readHold('ana')?.details.email).toBe('rosa@gmail.com');
});
