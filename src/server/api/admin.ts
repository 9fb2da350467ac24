import * as z from 'zod/mini';
import * as contract from '#contract/admin.ts';
import { AccountQuery } from '#contract/artist.ts';
import { Id, listPageOf, PageQuery } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { OwnerProof } from '#contract/owner_proof.ts';
import { listAdminActions } from '#server/operations/admin/admin_actions.ts';
import * as artists from '#server/operations/admin/admin_artists.ts';
import * as mails from '#server/operations/admin/failed_mails.ts';
import * as state from '#server/operations/admin/server_state.ts';
import { OWNER_PROOF_TEXT, PROOF_EXAMPLE } from './owner_proof.ts';
import { route, superusers } from './route.ts';

const ArtistPath = z.object({ artist_id: Id });

export const admin = [
  route(endpoints.listAdminArtists, superusers(), {
    summary: 'Accounts with their state and last login, newest first',
    description: 'For superusers. `search` matches username, email, full name, or the whole id.',
    input: { query: AccountQuery },
    response: listPageOf(contract.AdminArtist),
    handle: ({ context, query }) => artists.listAdminArtists(context, query),
  }),
  route(endpoints.deactivateArtist, superusers(), {
    summary: 'Deactivate an account',
    description: `For superusers, who cannot deactivate themselves; ${OWNER_PROOF_TEXT} Hides the page of the artist, ends their logins and deletes their exports. Nothing else is lost; doing it twice is harmless.`,
    input: { path: ArtistPath, body: OwnerProof },
    example: PROOF_EXAMPLE,
    response: contract.AdminArtist,
    ownerProof: ({ body }) => body,
    handle: ({ context, caller, path }) =>
      artists.setArtistActive(context, caller, path.artist_id, false),
  }),
  route(endpoints.reactivateArtist, superusers(), {
    summary: 'Activate an account that was deactivated',
    description: 'For superusers. The artist has to log in again.',
    input: { path: ArtistPath },
    response: contract.AdminArtist,
    handle: ({ context, caller, path }) =>
      artists.setArtistActive(context, caller, path.artist_id, true),
  }),
  route(endpoints.createRecoveryLink, superusers(), {
    summary: 'Create a link to choose a new password, to hand over to an artist without mail',
    description: `For superusers; ${OWNER_PROOF_TEXT} The link works once, within one hour. A mail tells the artist of it; earlier links stay valid.`,
    input: { path: ArtistPath, body: OwnerProof },
    example: PROOF_EXAMPLE,
    status: 201,
    response: contract.RecoveryLink,
    refusals: ['account_not_active'],
    ownerProof: ({ body }) => body,
    handle: ({ context, caller, path }) =>
      artists.createRecoveryLink(context, caller, path.artist_id),
  }),
  route(endpoints.listFailedMails, superusers(), {
    summary: 'Mails of all artists that were not delivered, newest first',
    description: 'For superusers. Those that are tried again are listed too.',
    input: { query: PageQuery },
    response: listPageOf(contract.FailedMail),
    handle: ({ context, query, now }) => mails.listFailedMails(context, query, now),
  }),
  route(endpoints.sendFailedMailAgain, superusers(), {
    summary: 'Send a failed mail again',
    description:
      'For superusers. A mail about an appointment is sent with the data of now, any other as it was.',
    input: { path: z.object({ mail_id: Id }) },
    refusals: ['mail_outdated'],
    handle: ({ context, caller, path, now }) =>
      mails.sendFailedMailAgain(context, caller, path.mail_id, now),
  }),
  route(endpoints.listJobQueues, superusers(), {
    summary: 'How many jobs each queue has, and its last error',
    description: 'For superusers.',
    input: {},
    response: listPageOf(contract.JobQueueState),
    handle: ({ context }) => state.listQueueStates(context),
  }),
  route(endpoints.listServerErrors, superusers(), {
    summary: 'The last errors of answers and jobs, newest first',
    description:
      'For superusers. `search` matches the id of a request and the route. At most about 1,000 errors of the last 14 days are stored, at most five a second of each server process.',
    input: { query: contract.ServerErrorQuery },
    response: listPageOf(contract.ServerError),
    handle: ({ context, query }) => state.listServerErrors(context, query),
  }),
  route(endpoints.fetchServerState, superusers(), {
    summary: 'Versions, disk space, the last backup, and counts of failed mails, jobs and errors',
    description: 'For superusers. Of the server that answers.',
    input: {},
    response: contract.ServerState,
    handle: ({ context, now }) => state.loadServerState(context, now),
  }),
  route(endpoints.runServerChecks, superusers(), {
    summary: 'Check every part of the server, as `npm run doctor` does',
    description: 'For superusers. Of the server that answers. Takes up to 20 seconds.',
    input: {},
    response: listPageOf(contract.DoctorFinding),
    handle: ({ context }) => state.runServerChecks(context),
  }),
  route(endpoints.listAdminActions, superusers(), {
    summary: 'What superusers did to accounts and mails, newest first',
    description: 'For superusers. Stored for a year.',
    input: { query: PageQuery },
    response: listPageOf(contract.AdminAction),
    handle: ({ context, query }) => listAdminActions(context, query),
  }),
];
