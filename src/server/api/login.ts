import { CurrentArtist } from '#contract/artist.ts';
import * as endpoints from '#contract/endpoints.ts';
import { AccessToken, Login } from '#contract/login.ts';
import { loadCurrentArtist } from '#server/operations/artists.ts';
import { logIn } from '#server/operations/login.ts';
import { anyone, artists, route } from './route.ts';

export const login = [
  route(endpoints.logIn, {
    access: anyone,
    summary: 'Log in',
    description:
      "`username` (a name of OAuth 2.0) is the artist's email. The token expires after 30 days or when the password changes.",
    input: { body: Login },
    example: { username: 'rosa@example.com', password: 'correct horse' },
    response: AccessToken,
    refusals: ['wrong_login', 'artist_inactive'],
    rateLimit: 'login',
    handle: async ({ context, body }) => ({
      access_token: await logIn(context, body),
      token_type: 'bearer',
    }),
  }),
  route(endpoints.testToken, {
    access: artists,
    summary: 'The artist of the token',
    input: {},
    response: CurrentArtist,
    handle: ({ context, artist }) => loadCurrentArtist(context, artist.id),
  }),
];
