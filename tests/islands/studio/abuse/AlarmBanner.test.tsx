import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { AlarmBanner } from '#islands/studio/abuse/AlarmBanner.tsx';
import { startSession } from '#stores/session.ts';
import { $bookingAlarm } from '#stores/studio/abuse.ts';
import { stubApi } from '#support/fake_api.ts';

const ALARM = { id: 'alarm', bookings: 3, networks: 2, raised_at: '2026-12-01T12:00:00Z' };

afterEach(() => {
  cleanup();
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
  const press = async (name: string) =>
    userEvent.click(await screen.findByRole('button', { name }));
  await press(label);
  await screen.findByRole('dialog', { name: title });
  await press(back);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(writes()).toEqual([]);
  await press(label);
  await press(confirm);
  await vi.waitFor(() => expect(writes()).toEqual([`users/me/booking-alarm/alarm/${call}`]));
});
