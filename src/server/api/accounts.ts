import * as z from 'zod/mini';
import {
  AccountQuery,
  CurrentArtist,
  NewArtist,
  SuperuserArtistChanges,
} from '#contract/artist.ts';
import { Id, listPageOf } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import * as operations from '#server/operations/accounts.ts';
import { loadCurrentArtist } from '#server/operations/artists.ts';
import type { TokenOwner } from '#server/operations/sessions.ts';
import { type RawCall, route, superusers } from './route.ts';
import { NEW_ARTIST_EXAMPLE } from './users.ts';

const UserPath = z.object({ user_id: Id });

/** This check runs before the validation, which makes the id lower case. */
function isOwnAccount(artist: TokenOwner, { user_id }: RawCall['path']): boolean {
  return String(user_id).toLowerCase() === artist.id;
}

// Each of these routes may refuse with `not_allowed`, so `refusals` need not list it.
export const accounts = [
  route(endpoints.listAccounts, superusers(), {
    summary: 'All accounts, newest first',
    description: 'For superusers. `search` matches username, email and full name.',
    input: { query: AccountQuery },
    response: listPageOf(CurrentArtist),
    handle: ({ context, query }) => operations.listAccounts(context, query),
  }),
  route(endpoints.createAccount, superusers(), {
    summary: 'Create the account of an artist or a superuser',
    description: 'For superusers, within ten minutes of a login. A superuser has no public page.',
    input: { body: NewArtist },
    example: NEW_ARTIST_EXAMPLE,
    status: 201,
    response: CurrentArtist,
    refusals: ['login_too_old', 'username_taken', 'email_taken'],
    handle: ({ context, caller, body }) =>
      operations.createAccount(context, caller, body, Date.now()),
  }),
  route(endpoints.fetchAccount, superusers(isOwnAccount), {
    summary: 'An account',
    description: 'For superusers. An artist may read their own account.',
    input: { path: UserPath },
    response: CurrentArtist,
    handle: ({ context, path }) => loadCurrentArtist(context, path.user_id),
  }),
  route(endpoints.changeAccount, superusers(), {
    summary: 'Change an account',
    description:
      'For superusers, who cannot deactivate or demote themselves. Omitted fields stay unchanged. A new password or `is_active: false` revokes all access tokens of the account and deletes its exports; a new password deletes its passkeys too. A new email or password, and `is_superuser`, take a login of the last ten minutes.',
    input: { path: UserPath, body: SuperuserArtistChanges },
    example: { is_active: false },
    response: CurrentArtist,
    refusals: ['login_too_old', 'username_taken', 'too_many_usernames', 'email_taken'],
    handle: ({ context, caller, path, body }) =>
      operations.updateAccount(context, caller, path.user_id, body, Date.now()),
  }),
  route(endpoints.deleteAccount, superusers(), {
    summary: 'Delete an account and all its data',
    description: 'For superusers, within ten minutes of a login, who cannot delete themselves.',
    input: { path: UserPath },
    refusals: ['login_too_old'],
    handle: ({ context, caller, path }) =>
      operations.deleteAccount(context, caller, path.user_id, Date.now()),
  }),
];
