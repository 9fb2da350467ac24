// The profile page in the artists' area: profile, picture, password and deleting the account.
import { atom } from 'nanostores';
import { toCallOptions } from '#client/upload.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist, OwnArtistChanges, PasswordChange } from '#contract/artist.ts';
import type { ListPage } from '#contract/common.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { PageInput } from '#contract/endpoint_definition.ts';
import * as endpoints from '#contract/endpoints.ts';
import type { OwnerProof } from '#contract/owner_proof.ts';
import { occupiesCalendar } from '#domain/appointments/appointment.ts';
import { callAsArtist, endSession, startSession } from '../session.ts';
import { showSuccessToast, showSuccessToastOnNextPage } from '../toasts.ts';
import { applyMe } from './me.ts';
import { attempt, createQuery, fetchAllPages, revalidate } from './queries.ts';

/** Changes some of the artist's settings, and shows success with `title` and `text`. @throws ApiError */
export async function saveProfile(
  changes: OwnArtistChanges,
  text: string,
  title = 'Saved.',
): Promise<CurrentArtist> {
  const me = await callAsArtist(endpoints.changeMe, { body: changes });
  applyMe(me);
  showSuccessToast(title, text);
  return me;
}

/** The part of the picture's bytes that has been sent, 0 to 1; null while no picture is sent. */
export const $avatarProgress = atom<number | null>(null);

/** Sets the artist's picture, which must be square. @throws ApiError, or when `signal` aborts */
export async function saveAvatar(picture: Blob, signal: AbortSignal): Promise<void> {
  $avatarProgress.set(0);
  try {
    const options = toCallOptions({ onProgress: (share) => $avatarProgress.set(share), signal });
    applyMe(await callAsArtist(endpoints.changeAvatar, { body: { file: picture } }, options));
  } finally {
    $avatarProgress.set(null);
    // The server may have stored the picture before the upload was cancelled.
    if (signal.aborted) revalidate('me');
  }
  showSuccessToast('Saved.', 'Your new picture is on your page.');
}

/** Changes the password, which logs out all other browsers. @throws ApiError */
export async function savePassword(change: PasswordChange): Promise<void> {
  const { access_token } = await callAsArtist(endpoints.changePassword, { body: change });
  startSession(access_token);
  revalidate('sessions', 'security-events', 'exports');
  showSuccessToast('Success!', 'Password updated successfully. Other devices were logged out.');
}

/** Asks for another email, which is in effect once its mailed link is used. @throws ApiError */
export function requestNewEmail(change: {
  readonly email: string;
  readonly current_password: string;
}): Promise<CurrentArtist> {
  return saveProfile(change, `Open the link in the mail to ${change.email}.`, 'Email sent.');
}

/** Cancels the change to a new email whose mailed link is not used yet. Shows success or the error. */
export function cancelNewEmail({ email }: CurrentArtist): Promise<boolean> {
  return attempt('Not changed.', [], () =>
    saveProfile({ email }, `Your email stays ${email}.`, 'Cancelled.'),
  );
}

/**
 * Mails once more the link that confirms the artist's email, or the new email that they want. Says so if it is
 * confirmed already. Shows success or the error.
 */
export function mailEmailProof(me: CurrentArtist): Promise<boolean> {
  const email = me.pending_email ?? me.email;
  return attempt('Not sent.', [], async () => {
    await callAsArtist(endpoints.requestEmailProof);
    // They may have opened the earlier link meanwhile, in another tab or on another device.
    const current = await callAsArtist(endpoints.fetchMe);
    if (current.pending_email === null && current.email_proven) {
      showSuccessToast('Confirmed.', 'Your email is confirmed already.');
      revalidate('me');
    } else showSuccessToast('Email sent.', `Open the link in the mail to ${email}.`);
  });
}

/** The upcoming appointments that reserve their time, soonest first. */
export const $upcomingAppointments = createQuery(
  ['appointments', 'upcoming'],
  fetchUpcomingAppointments,
);

/** Loads the upcoming appointments that reserve their time, soonest first. @throws ApiError */
export async function fetchUpcomingAppointments(): Promise<Appointment[]> {
  const upcoming = await fetchAllPages((page) =>
    callAsArtist(endpoints.listAppointments, {
      query: { when: 'upcoming', order: 'soonest', ...page },
    }),
  );
  return upcoming.filter(({ status, start }) => start !== null && occupiesCalendar(status));
}

/** The lists that are deleted with the account, and the noun for their items. */
const OWN_LISTS: readonly (readonly [string, Endpoint<PageInput, ListPage<unknown>>])[] = [
  ['design', endpoints.listOwnDesigns],
  ['portfolio picture', endpoints.listOwnPortfolio],
  ['service', endpoints.listOwnServices],
  ['appointment', endpoints.listAppointments],
  ['client', endpoints.listClients],
];

export const $accountContents = createQuery(['belongings'], () =>
  Promise.all(
    OWN_LISTS.map(async ([noun, list]) => {
      // Only the count matters, so the list is limited to one item.
      const { count } = await callAsArtist(list, { query: { limit: 1 } });
      return { noun, count };
    }),
  ),
);

/** Deletes the account and logs out. @throws ApiError, with status 400 for a wrong password */
export async function deleteAccount(proof: OwnerProof): Promise<void> {
  await callAsArtist(endpoints.deleteMe, { body: proof });
  showSuccessToastOnNextPage('Account deleted.', 'Nothing of it was kept.');
  endSession();
}
