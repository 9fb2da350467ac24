import type * as z from 'zod/mini';
import { CurrentArtist } from '#contract/artist.ts';
import * as endpoints from '#contract/endpoints.ts';
import { DeviceHeader, Login, LoginAnswer } from '#contract/login.ts';
import { type LoginSource, type LoginTokens, logIn } from '#server/operations/accounts/login.ts';
import { loadCurrentArtist } from '#server/operations/studio/artist_views.ts';
import { anyone, artists, route } from './route.ts';

/** Where a login, or the use of a recovery link, comes from, by the call's headers. */
export function loginSource(
  call: Pick<LoginSource, 'network' | 'userAgent'> & {
    readonly header: z.output<typeof DeviceHeader>;
  },
): LoginSource {
  const { network, userAgent, header } = call;
  return {
    network,
    userAgent,
    deviceToken: header['device-token'],
    timeZone: header['time-zone'],
  };
}

export function toLoginAnswer({ accessToken, deviceToken }: LoginTokens): LoginAnswer {
  return { access_token: accessToken, token_type: 'bearer', device_token: deviceToken };
}

export const login = [
  route(endpoints.logIn, anyone, {
    summary: 'Log in',
    description:
      "`username` (a name of OAuth 2.0) is the artist's email. The access token works until its session ends: by a logout, a new password, or 30 days without use. A login from a browser that the account does not know is mailed to the artist. Send the `device_token`, which lasts 180 days, in the header `Device-Token` of later logins: with it, the limits of wrong passwords that others have typed do not hold.",
    input: { header: DeviceHeader, body: Login },
    example: { username: 'rosa@example.com', password: 'correct horse' },
    response: LoginAnswer,
    refusals: [
      'wrong_login',
      'artist_inactive',
      'too_many_wrong_logins',
      'too_many_wrong_logins_of_network',
    ],
    rateLimit: 'login',
    handle: async (call) => toLoginAnswer(await logIn(call.context, call.body, loginSource(call))),
  }),
  route(endpoints.testToken, artists, {
    summary: 'The artist of the token',
    input: {},
    response: CurrentArtist,
    handle: ({ context, artist, now }) => loadCurrentArtist(context, artist.id, now),
  }),
];
