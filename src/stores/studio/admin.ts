// The operator's page: accounts, mail, jobs and errors of all artists, and the server itself.
import { atom } from 'nanostores';
import type { AdminArtist, DoctorFinding, FailedMail, RecoveryLink } from '#contract/admin.ts';
import * as endpoints from '#contract/endpoints.ts';
import type { OwnerProof } from '#contract/owner_proof.ts';
import { callAsArtist } from '../session.ts';
import { closeErrorToasts, closeToast, showSuccessToast } from '../toasts.ts';
import { attempt, createQuery, type Resource, thenReload } from './queries.ts';
import { createSearchedList } from './searched_list.ts';

const PAGE_SIZE = 20;

export const adminArtists = createSearchedList('admin-artists', PAGE_SIZE, (query) =>
  callAsArtist(endpoints.listAdminArtists, { query }),
);
export const failedMails = createSearchedList('admin-mails', PAGE_SIZE, ({ skip, limit }) =>
  callAsArtist(endpoints.listFailedMails, { query: { skip, limit } }),
);
export const serverErrors = createSearchedList('admin-errors', PAGE_SIZE, (query) =>
  callAsArtist(endpoints.listServerErrors, { query }),
);
export const adminActions = createSearchedList('admin-actions', PAGE_SIZE, ({ skip, limit }) =>
  callAsArtist(endpoints.listAdminActions, { query: { skip, limit } }),
);

export const $jobQueues = createQuery(['admin-jobs'], () => callAsArtist(endpoints.listJobQueues));

/** The last toasts with Undo, by the id of the artist who was deactivated. */
const undoToastIds = new Map<string, number>();

/** Deactivates an account. Shows success with Undo. @throws ApiError, with status 400 for a wrong password */
export async function deactivate({ id, username }: AdminArtist, proof: OwnerProof): Promise<void> {
  await actOn('admin-artists', id, async () => {
    await callAsArtist(endpoints.deactivateArtist, { path: { artist_id: id }, body: proof });
    const toastId = showSuccessToast(
      'Deactivated.',
      `The page of ${username} is offline, and all their logins have ended.`,
      { label: 'Undo', run: () => void reactivate({ id, username }) },
    );
    undoToastIds.set(id, toastId);
  });
}

/** Activates an account again. Shows success or the error. */
export function reactivate({
  id,
  username,
}: Pick<AdminArtist, 'id' | 'username'>): Promise<boolean> {
  return attempt('Not activated.', [], () =>
    actOn('admin-artists', id, async () => {
      await callAsArtist(endpoints.reactivateArtist, { path: { artist_id: id } });
      closeToast(undoToastIds.get(id));
      showSuccessToast('Activated.', `The page of ${username} is online, and they can log in.`);
    }),
  );
}

/** Creates a link by which an artist sets a new password. @throws ApiError, with status 400 for a wrong password */
export function makeRecoveryLink({ id }: AdminArtist, proof: OwnerProof): Promise<RecoveryLink> {
  return thenReload(['admin-actions'], () =>
    callAsArtist(endpoints.createRecoveryLink, { path: { artist_id: id }, body: proof }),
  );
}

/** The ids of failed mails that were sent again on this page. Some stay listed, because a copy of them is sent. */
export const $resentMailIds = atom<ReadonlySet<string>>(new Set());

/** Sends a failed mail again. Shows success or the error. */
export function resend({ id, address }: FailedMail): Promise<boolean> {
  return attempt('Not sent.', [], () =>
    actOn('admin-mails', id, async () => {
      await callAsArtist(endpoints.sendFailedMailAgain, { path: { mail_id: id } });
      $resentMailIds.set(new Set([...$resentMailIds.get(), id]));
      showSuccessToast('Queued.', `The mail to ${address} is tried again now.`);
    }),
  );
}

/** The checks of the server (`npm run doctor`); the findings are null before the first run. */
export const $doctor = atom<{
  readonly isRunning: boolean;
  readonly findings: readonly DoctorFinding[] | null;
}>({ isRunning: false, findings: null });

/** Checks every part of the server. Shows an error. */
export async function runDoctor(): Promise<void> {
  let { findings } = $doctor.get();
  $doctor.set({ isRunning: true, findings });
  await attempt('Not checked.', [], async () => {
    findings = (await callAsArtist(endpoints.runServerChecks)).data;
  });
  $doctor.set({ isRunning: false, findings });
}

/** The id of the entry that the last action on a list was about, by the resource of the list. */
const changedIds = new Map<string, string>();

/** Returns and removes the id of the entry that the last action on a list was about, to focus it; null for none. */
export function takeChangedId(resource: string): string | null {
  const id = changedIds.get(resource) ?? null;
  changedIds.delete(resource);
  return id;
}

/** Runs an action about an entry of a list, and reloads the data that it may have changed. */
function actOn(list: Resource, id: string, act: () => Promise<void>): Promise<void> {
  closeErrorToasts();
  return thenReload(['admin-artists', 'admin-mails', 'admin-actions', 'admin-server'], () =>
    act().finally(() => changedIds.set(list, id)),
  );
}
