import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { AlarmBanner } from '#islands/studio/abuse/AlarmBanner.tsx';
import { TimeChangesBanner } from '#islands/studio/appointments/TimeChangesBanner.tsx';
import { EmailProofBanner } from '#islands/studio/EmailProofBanner.tsx';
import { startSession } from '#stores/session.ts';
import { $bookingAlarm, block, cancelBatch } from '#stores/studio/abuse.ts';
import { $toasts } from '#stores/toasts.ts';
import { problemResponse, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toastTexts, toListed } from '#support/fake_schedule_api.ts';
import { input, press } from '#support/fake_studio_api.ts';

const ALARM = { id: 'alarm', bookings: 3, networks: 2, raised_at: '2026-12-01T12:00:00Z' };

afterEach(() => {
  cleanup();
  $toasts.set([]);
  vi.unstubAllGlobals();
});

test.for([
  ['They are real…', 'Keep these 3 bookings?', 'Keep them', 'Back to the warning', 'dismiss'],
  ['Cancel all 3…', 'Cancel these 3 bookings?', 'Cancel all 3', 'Keep them', 'cancel'],
] as const)('%s asks first', async ([label, title, confirm, back, call]) => {
  const calls = stubApi(({ method }) =>
    method === 'GET' ? { alarm: ALARM } : { cancelled: ALARM.bookings },
  );
  startSession('one');
  $bookingAlarm.invalidate();
  render(<AlarmBanner />);
  const writes = () => calls.filter(({ method }) => method !== 'GET').map(({ path }) => path);
  await press(label);
  await screen.findByRole('dialog', { name: title });
  await press(back);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(writes()).toEqual([]);
  await press(label);
  await press(confirm);
  await vi.waitFor(() => expect(writes()).toEqual([`users/me/booking-alarm/alarm/${call}`]));
});

test('with a confirmed email and without an alarm there is no banner', async () => {
  const calls = stubApi(() => ({ alarm: null }));
  startSession('one');
  $bookingAlarm.invalidate();
  const { container } = render(
    <>
      <AlarmBanner />
      <EmailProofBanner me={{ ...ANA_SELF, email_proven: true }} />
    </>,
  );
  await vi.waitFor(() => expect($bookingAlarm.get().data).toBeDefined());
  expect(calls).not.toEqual([]);
  expect(container.textContent).toBe('');
});

test('a blocked sender can be accepted again by Undo', async () => {
  const calls = stubApi(({ method }) =>
    method === 'POST'
      ? { id: 'pest', value: 'pest@example.com' }
      : new Response(null, { status: 204 }),
  );
  await block({ email: 'pest@example.com' });
  expect(toastTexts()).toEqual([
    'Blocked. You get no more bookings or messages from pest@example.com.',
  ]);
  $toasts.get()[0]?.action?.run();
  await vi.waitFor(() => expect(toastTexts().at(-1)).toMatch(/^Unblocked\. pest@example\.com/));
  expect(calls.map(({ path }) => path)).toEqual(['users/me/blocked', 'users/me/blocked/pest']);
});

test('an alarm that was answered in another window says so', async () => {
  stubApi(() => problemResponse(404, 'Not found'));
  await cancelBatch({ ...ALARM, since: ALARM.raised_at, confirmed: 1 });
  expect(toastTexts()).toEqual(['Already done. You have answered this warning in another window.']);
});

test.each([
  ['mailed', false, /^Email sent\./],
  // The artist has used the link since the banner was shown.
  ['confirmed already', true, /^Confirmed\. Your email is confirmed already\.$/],
])(
  'the banner says what an unconfirmed email means, and "Mail it again" that it is %s',
  async (_, email_proven, toast) => {
    startSession('token');
    const calls = stubApi(({ method }) =>
      method === 'POST' ? new Response(null, { status: 204 }) : { ...ANA_SELF, email_proven },
    );
    render(<EmailProofBanner me={{ ...ANA_SELF, email_proven: false }} />);
    screen.getByText('Confirm your email so that your mails can carry your name and words.');
    screen.getByText(
      `We mailed the link to ${ANA_SELF.email}. Until then, at most 30 mails a day are sent.`,
    );
    await press('Mail it again');
    expect(calls.map(({ path }) => path)).toEqual(['users/me/prove-email', 'users/me']);
    expect(toastTexts()).toEqual([expect.stringMatching(toast)]);
  },
);

test('appointments that clocks show an hour later than agreed are listed; nobody is told unasked, and Undo follows', async () => {
  const agreed = { local: '2026-12-03T09:00' };
  const client = { ...createAppointment({}).client, email: null };
  const changes = ['one', 'two'].map((id) => ({ ...createAppointment({ id, client }), agreed }));
  const calls = stubApi(({ method, body }) =>
    method === 'DELETE'
      ? new Response(null, { status: 204 })
      : toListed(...(body['keep'] === 'clock_times' ? [] : changes)),
  );
  startSession('one');
  render(<TimeChangesBanner me={ANA_SELF} />);
  const title = 'These 2 appointments would begin an hour later';
  const heading = await screen.findByRole('heading', { name: title });
  expect(heading.closest('details')?.open).toBe(false);
  await userEvent.click(heading);
  screen.getByText(/^Not mailed: Rosa [^,]*\(no email\)\.$/);
  expect(screen.getAllByText('Agreed: Thu, Dec 3, 2026, 9:00 AM. Now: 10:00 AM.')).toHaveLength(2);
  await press('Leave them');
  await vi.waitFor(() => expect(toastTexts().join()).toMatch(/^Nothing was changed. Of 2 app/));
  await userEvent.click(input('Tell the clients'));
  await press('Keep the clock times');
  await vi.waitFor(() => expect(toastTexts().join()).toContain('No client is mailed.'));
  $toasts.get().at(-1)?.action?.run();
  await vi.waitFor(() => expect(toastTexts().join()).toContain('Undone.'));
  const ids = changes.map(({ id, version }) => ({ id, version }));
  expect(calls.flatMap(({ method, body }) => (method === 'POST' ? [body] : []))).toEqual([
    { keep: 'moments', ids, tell_clients: false },
    { keep: 'clock_times', ids, tell_clients: true },
  ]);
});
