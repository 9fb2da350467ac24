// The state of the server, for superusers: apart from the rest of the operator's page, as Home shows it too.
import { computed, type ReadableAtom } from 'nanostores';
import { fetchServerState } from '#contract/endpoints.ts';
import { callAsArtist } from '../session.ts';
import type { AdminPart } from './admin.ts';
import { createQuery } from './queries.ts';

export const $serverState = createQuery(['admin-server'], () => callAsArtist(fetchServerState));

/** How many entries of the parts of the operator's page need attention; none until that is known. */
export const $troubleCounts: ReadableAtom<Partial<Record<AdminPart, number>>> = computed(
  $serverState,
  ({ data }) =>
    data
      ? {
          mail: data.troubles.failed_mails + data.troubles.retried_mails,
          jobs: data.troubles.failed_jobs,
          errors: data.troubles.errors,
        }
      : {},
);
