import * as z from 'zod/mini';
import {
  AccountQuery,
  CurrentArtist,
  SuperuserArtistChanges,
  SuperuserNewArtist,
} from '#contract/artist.ts';
import { Id, listPageOf } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { OwnerProof } from '#contract/owner_proof.ts';
import type { TokenOwner } from '#server/operations/accounts/sessions.ts';
import * as operations from '#server/operations/studio/accounts.ts';
import { loadCurrentArtist } from '#server/operations/studio/artist_views.ts';
import { createArtist } from '#server/operations/studio/artists.ts';
import { OWNER_PROOF_TEXT, PROOF_EXAMPLE, withoutProof } from './owner_proof.ts';
import { type RawCall, route, superusers } from './route.ts';
import { NEW_ARTIST_EXAMPLE } from './users.ts';

const UserPath = z.object({ user_id: Id });

/** Whether the path names the caller's own account. It is not validated yet, so its id may have capitals. */
function isOwnAccount(artist: TokenOwner, { user_id }: RawCall['path']): boolean {
  return String(user_id).toLowerCase() === artist.id;
}

export const accounts = [
  route(endpoints.listAccounts, superusers(), {
    summary: 'All accounts, newest first',
    description: 'For superusers. `search` matches username, email and full name.',
    input: { query: AccountQuery },
    response: listPageOf(CurrentArtist),
    handle: ({ context, query, now }) => operations.listAccounts(context, query, now),
  }),
  route(endpoints.createAccount, superusers(), {
    summary: 'Create the account of an artist or a superuser',
    description: `For superusers. A superuser has no public page; to create one, ${OWNER_PROOF_TEXT}`,
    input: { body: SuperuserNewArtist },
    example: NEW_ARTIST_EXAMPLE,
    status: 201,
    response: CurrentArtist,
    refusals: ['username_taken', 'email_taken'],
    ownerProof: ({ body }) => (body.is_superuser ? body : null),
    handle: ({ context, caller, body }) =>
      createArtist(context, withoutProof(body), { superuserId: caller.id }),
  }),
  route(endpoints.fetchAccount, superusers(isOwnAccount), {
    summary: 'An account',
    description: 'For superusers. An artist may read their own account.',
    input: { path: UserPath },
    response: CurrentArtist,
    handle: ({ context, path, now }) => loadCurrentArtist(context, path.user_id, now),
  }),
  route(endpoints.changeAccount, superusers(), {
    summary: 'Change an account',
    description: `For superusers, who cannot deactivate or demote themselves. Omitted fields stay unchanged. A new password or \`is_active: false\` revokes all access tokens of the account and deletes its exports; a new password deletes its passkeys too. For both, a new email or username, and \`is_superuser\`, ${OWNER_PROOF_TEXT}`,
    input: { path: UserPath, body: SuperuserArtistChanges },
    example: { is_active: false, ...PROOF_EXAMPLE },
    response: CurrentArtist,
    refusals: ['username_taken', 'too_many_usernames', 'email_taken'],
    ownerProof: ({ body }) => (operations.isIrreversible(body) ? body : null),
    handle: ({ context, caller, path, body }) =>
      operations.updateAccount(context, caller, path.user_id, withoutProof(body)),
  }),
  route(endpoints.deleteAccount, superusers(), {
    summary: 'Delete an account and all its data',
    description: `For superusers, who cannot delete themselves; ${OWNER_PROOF_TEXT}`,
    input: { path: UserPath, body: OwnerProof },
    example: PROOF_EXAMPLE,
    ownerProof: ({ body }) => body,
    handle: ({ context, caller, path }) => operations.deleteAccount(context, caller, path.user_id),
  }),
];
