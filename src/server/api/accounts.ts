import * as z from 'zod/mini';
import {
  AccountQuery,
  CurrentArtist,
  NewArtist,
  SuperuserArtistChanges,
} from '#contract/artist.ts';
import { Id, listPageOf } from '#contract/common.ts';
import * as operations from '#server/operations/accounts.ts';
import { readSelf } from '#server/operations/artists.ts';
import { superuserRoute } from './route.ts';

const ByUser = z.object({ user_id: Id });

const list = superuserRoute(
  {
    method: 'get',
    path: '/users',
    summary: 'All accounts, newest first',
    description: 'For superusers. `search` looks into username, email and full name.',
    takes: { query: AccountQuery },
    status: 200,
    answer: listPageOf(CurrentArtist),
  },
  ({ context, query }) => operations.listAccounts(context, query),
);

const create = superuserRoute(
  {
    method: 'post',
    path: '/users',
    summary: 'Make an account',
    description: 'For superusers. A superuser has no public page.',
    takes: { body: NewArtist },
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
    answer: CurrentArtist,
    refusals: ['username_taken', 'email_taken'],
  },
  ({ context, body }) => operations.createAccount(context, body),
);

const read = superuserRoute(
  {
    method: 'get',
    path: '/users/:user_id',
    summary: 'An account',
    description: 'For superusers; artists may read themselves.',
    takes: { path: ByUser },
    status: 200,
    answer: CurrentArtist,
    refusals: ['not_found'],
  },
  ({ context, path }) => readSelf(context, path.user_id),
  (artist, { user_id }) => user_id?.toLowerCase() === artist.id,
);

const change = superuserRoute(
  {
    method: 'patch',
    path: '/users/:user_id',
    summary: 'Change an account',
    description:
      'For superusers, who can take neither their own activity nor their own rights. Fields left out keep their value. A new password ends all tokens, and so does `is_active: false`.',
    takes: { path: ByUser, body: SuperuserArtistChanges },
    example: { is_active: false },
    status: 200,
    answer: CurrentArtist,
    refusals: ['not_found', 'username_taken', 'email_taken'],
  },
  ({ context, superuser, path, body }) =>
    operations.changeAccount(context, superuser, path.user_id.toLowerCase(), body),
);

const remove = superuserRoute(
  {
    method: 'delete',
    path: '/users/:user_id',
    summary: 'Delete an account and all that belongs to it',
    description: 'For superusers, and not for their own account.',
    takes: { path: ByUser },
    status: 204,
    refusals: ['not_found'],
  },
  ({ context, superuser, path }) =>
    operations.removeAccount(context, superuser, path.user_id.toLowerCase()),
);

export const accounts = [list, create, read, change, remove];
