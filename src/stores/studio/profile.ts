import { atom, computed } from 'nanostores';
import { listAppointments } from '#client/appointments.ts';
import { changeAvatar, changeMe, changePassword, deleteMe } from '#client/artists.ts';
import { listClients } from '#client/clients.ts';
import { listOwnDesigns } from '#client/designs.ts';
import { createHttpTransport } from '#client/http.ts';
import { listOwnPortfolio } from '#client/images.ts';
import { logIn } from '#client/login.ts';
import { listOwnServices } from '#client/services.ts';
import type { Appointment } from '#contract/appointment.ts';
import type { ArtistChanges, CurrentArtist, PasswordChange } from '#contract/artist.ts';
import { occupiesCalendar } from '#domain/appointment.ts';
import { artistApi, endSession, startSession } from '../session.ts';
import { showSuccessToast, showSuccessToastOnNextPage } from '../toasts.ts';
import { fetchAllPages } from './all_pages.ts';
import { applyMe } from './me.ts';
import { createQuery, revalidate } from './queries.ts';

/** Changes the profile or the studio. @throws what the API refused */
export async function saveProfile(changes: ArtistChanges, told: string): Promise<CurrentArtist> {
  const me = await changeMe(artistApi(), changes);
  applyMe(me);
  showSuccessToast('Saved.', told);
  return me;
}

/** The share of the picture that has been sent, 0 to 1; null while none is. */
export const $avatarProgress = atom<number | null>(null);

/** Shows a square picture on the page from now on. @throws what the API refused */
export async function saveAvatar(picture: Blob, signal: AbortSignal): Promise<void> {
  $avatarProgress.set(0);
  try {
    const onProgress = (share: number) => $avatarProgress.set(share);
    applyMe(await changeAvatar(artistApi(), picture, { onProgress, signal }));
  } finally {
    $avatarProgress.set(null);
    // Called off too late, it is on the page all the same.
    if (signal.aborted) revalidate('me');
  }
  showSuccessToast('Saved.', 'Your new picture is on your page.');
}

/** A new password; this browser stays logged in, all others do not. @throws what the API refused */
export async function savePassword(change: PasswordChange): Promise<void> {
  const { access_token } = await changePassword(artistApi(), change);
  startSession(access_token);
  showSuccessToast('Success!', 'Password updated successfully. Other devices were logged out.');
}

const $upcomingQuery = createQuery<readonly Appointment[]>(['appointments', 'upcoming'], {
  fetcher: () =>
    fetchAllPages((page) =>
      listAppointments(artistApi(), { when: 'upcoming', order: 'soonest', ...page }),
    ),
});

/** What lies ahead and keeps its time, soonest first. */
export const $upcomingAppointments = computed($upcomingQuery, (value) => ({
  ...value,
  data: value.data?.filter(({ status, start }) => start !== null && occupiesCalendar(status)),
}));

export function reloadUpcoming(): void {
  $upcomingQuery.revalidate();
}

/** What goes with the account, counted. */
export interface AccountContents {
  readonly designs: number;
  readonly pictures: number;
  readonly services: number;
  readonly appointments: number;
  readonly clients: number;
}

export const $accountContents = createQuery<AccountContents>(['belongings'], {
  fetcher: async () => {
    const lists = [
      listOwnDesigns,
      listOwnPortfolio,
      listOwnServices,
      listAppointments,
      listClients,
    ] as const;
    const [designs = 0, pictures = 0, services = 0, appointments = 0, clients = 0] =
      await Promise.all(lists.map(async (list) => (await list(artistApi(), { limit: 1 })).count));
    return { designs, pictures, services, appointments, clients };
  },
});

/**
 * Deletes the account for good, as the one who knows its password, and leaves the studio.
 * @throws what the API refused: 400 for a wrong password
 */
export async function deleteAccount({ email }: CurrentArtist, password: string): Promise<void> {
  const { access_token } = await logIn(artistApi(), { username: email, password });
  const origin = document.documentElement.dataset['api'] ?? '';
  // The token of this very login, only for this: the API wants one that was just made.
  await deleteMe(
    createHttpTransport(origin, undefined, {
      getToken: () => access_token,
      onUnauthorized: () => {},
    }),
  );
  showSuccessToastOnNextPage('Account deleted.', 'Nothing of it was kept.');
  endSession();
}
