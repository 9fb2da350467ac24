// The state of the server, for superusers. It is apart from `admin.ts`, so that the home page loads only this.
import { computed, type ReadableAtom } from 'nanostores';
import { fetchServerState } from '#contract/endpoints.ts';
import { callAsArtist } from '../session.ts';
import { createQuery } from './queries.ts';

export const $serverState = createQuery(['admin-server'], () => callAsArtist(fetchServerState));

/** How many entries need attention, by the part of the operator's page; empty until that is known. */
export const $troubleCounts: ReadableAtom<Readonly<Record<string, number>>> = computed(
  $serverState,
  ({ data }) => {
    if (!data) return {};
    const { failed_mails, retried_mails, failed_jobs, errors } = data.troubles;
    return { mail: failed_mails + retried_mails, jobs: failed_jobs, errors };
  },
);
