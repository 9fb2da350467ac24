import { CurrentArtist } from '#contract/artist.ts';
import { AccessToken, Login } from '#contract/login.ts';
import { loadArtistSelf } from '#server/operations/artists.ts';
import { logIn } from '#server/operations/login.ts';
import { artistRoute, publicRoute } from './route.ts';

const createAccessToken = publicRoute(
  {
    method: 'post',
    path: '/login/access-token',
    summary: 'Log in',
    description:
      "The username is the artist's email. The token ends after 30 days, or with a new password.",
    input: { body: Login },
    example: { username: 'rosa@example.com', password: 'correct horse' },
    bodyKind: 'form',
    status: 200,
    response: AccessToken,
    refusals: ['wrong_login', 'artist_inactive'],
    budget: 'login',
  },
  async ({ context, body }) => ({ access_token: await logIn(context, body), token_type: 'bearer' }),
);

const testToken = artistRoute(
  {
    method: 'post',
    path: '/login/test-token',
    summary: 'Whom a token speaks for',
    input: {},
    status: 200,
    response: CurrentArtist,
  },
  ({ context, artist }) => loadArtistSelf(context, artist.id),
);

export const login = [createAccessToken, testToken];
