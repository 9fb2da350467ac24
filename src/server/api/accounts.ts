import * as z from 'zod/mini';
import {
  AccountQuery,
  CurrentArtist,
  NewArtist,
  SuperuserArtistChanges,
} from '#contract/artist.ts';
import { Id, listPageOf } from '#contract/common.ts';
import * as operations from '#server/operations/accounts.ts';
import { loadArtistSelf } from '#server/operations/artists.ts';
import { superuserRoute } from './route.ts';

const UserPath = z.object({ user_id: Id });

const listAccounts = superuserRoute(
  {
    method: 'get',
    path: '/users',
    summary: 'All accounts, newest first',
    description: 'For superusers. `search` looks into username, email and full name.',
    input: { query: AccountQuery },
    status: 200,
    response: listPageOf(CurrentArtist),
  },
  ({ context, query }) => operations.listAccounts(context, query),
);

const createAccount = superuserRoute(
  {
    method: 'post',
    path: '/users',
    summary: 'Make an account',
    description: 'For superusers. A superuser has no public page.',
    input: { body: NewArtist },
    example: {
      email: 'rosa@example.com',
      full_name: 'Rosa Quint',
      username: 'rosa_ink',
      password: 'correct horse',
      studio_name: 'Quint Tattoo',
      address_one: '1 Example Street',
      city: 'New York',
      state: 'NY',
      zip_code: '10001',
      time_zone: 'America/New_York',
    },
    status: 201,
    response: CurrentArtist,
    refusals: ['username_taken', 'email_taken'],
  },
  ({ context, body }) => operations.createAccount(context, body),
);

const getAccount = superuserRoute(
  {
    method: 'get',
    path: '/users/:user_id',
    summary: 'An account',
    description: 'For superusers; artists may read themselves.',
    input: { path: UserPath },
    status: 200,
    response: CurrentArtist,
    refusals: ['not_found'],
  },
  ({ context, path }) => loadArtistSelf(context, path.user_id),
  (artist, { user_id }) => user_id?.toLowerCase() === artist.id,
);

const updateAccount = superuserRoute(
  {
    method: 'patch',
    path: '/users/:user_id',
    summary: 'Change an account',
    description:
      'For superusers, who can take neither their own activity nor their own rights. Fields left out keep their value. A new password ends all tokens, and so does `is_active: false`.',
    input: { path: UserPath, body: SuperuserArtistChanges },
    example: { is_active: false },
    status: 200,
    response: CurrentArtist,
    refusals: ['not_found', 'username_taken', 'email_taken'],
  },
  ({ context, superuser, path, body }) =>
    operations.updateAccount(context, superuser, path.user_id.toLowerCase(), body),
);

const deleteAccount = superuserRoute(
  {
    method: 'delete',
    path: '/users/:user_id',
    summary: 'Delete an account and all that belongs to it',
    description: 'For superusers, and not for their own account.',
    input: { path: UserPath },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, superuser, path }) =>
    operations.deleteAccount(context, superuser, path.user_id.toLowerCase()),
);

export const accounts = [listAccounts, createAccount, getAccount, updateAccount, deleteAccount];
