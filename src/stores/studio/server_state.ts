// The state of the server, for superusers: apart from the rest of the operator's page, as Home shows it too.
import { computed, type ReadableAtom } from 'nanostores';
import { fetchServerState } from '#contract/endpoints.ts';
import { callAsArtist } from '../session.ts';
import { createQuery } from './queries.ts';

export const $serverState = createQuery(['admin-server'], () => callAsArtist(fetchServerState));

/** How many entries of the parts of the operator's page need attention; none until that is known. */
export const $troubleCounts: ReadableAtom<Readonly<Record<string, number>>> = computed(
  $serverState,
  ({ data }) => {
    if (!data) return {};
    const { failed_mails, retried_mails, failed_jobs, errors } = data.troubles;
    return { mail: failed_mails + retried_mails, jobs: failed_jobs, errors };
  },
);
