// Tools against unwanted bookings: the alarm, and blocked senders.
import type { BlockedSender, BookingAlarm, NewBlockedSender } from '#contract/abuse.ts';
import * as endpoints from '#contract/endpoints.ts';
import { callAsArtist } from '../session.ts';
import { showErrorToast, showSuccessToast } from '../toasts.ts';
import { attempt, createQuery, nullIfNotFound } from './queries.ts';

/** The warning of unusually many bookings whose email was not proven; null while there is none. */
export const $bookingAlarm = createQuery<BookingAlarm | null>(
  ['alarm'],
  async () => (await callAsArtist(endpoints.fetchBookingAlarm)).alarm,
  // Many unwanted bookings come in within minutes, so every 30 seconds.
  { revalidateInterval: 30_000 },
);

export const $blockedSenders = createQuery(['blocked'], () =>
  callAsArtist(endpoints.listBlockedSenders),
);

const runOrShowError = (change: () => Promise<void>) =>
  attempt('Not done.', ['alarm', 'blocked', 'appointments'], change);

/** Cancels all bookings of the alarm without a mail. Shows success or the error. */
export function cancelBatch({ id }: BookingAlarm): Promise<boolean> {
  return runOrShowError(async () => {
    const path = { alarm_id: id };
    const done = await callAsArtist(endpoints.cancelAlarmedBookings, { path }).catch(
      nullIfNotFound,
    );
    if (done === null)
      showErrorToast('Already done.', 'You have answered this warning in another window.');
    else
      showSuccessToast(
        `${done.cancelled} cancelled.`,
        'Their times are free again. Nobody was mailed.',
      );
  });
}

/** Closes the alarm and keeps its bookings. Shows success or the error. */
export function dismissAlarm({ id }: BookingAlarm): Promise<boolean> {
  return runOrShowError(async () => {
    await callAsArtist(endpoints.dismissBookingAlarm, { path: { alarm_id: id } });
    showSuccessToast('Kept.', 'You are warned again when more come in.');
  });
}

/** Blocks a sender. Shows success with Undo, or the error. */
export function block(sender: NewBlockedSender): Promise<boolean> {
  return runOrShowError(async () => {
    const blocked = await callAsArtist(endpoints.blockSender, { body: sender });
    showSuccessToast('Blocked.', `You get no more bookings or messages from ${blocked.value}.`, {
      label: 'Undo',
      run: () => void unblock(blocked),
    });
  });
}

/** Accepts a blocked sender again. Shows success or the error. */
export function unblock({ id, value }: BlockedSender): Promise<boolean> {
  return runOrShowError(async () => {
    await callAsArtist(endpoints.unblockSender, { path: { blocked_id: id } });
    showSuccessToast('Unblocked.', `${value} can book and write to you again.`);
  });
}
