import * as z from 'zod/mini';
import { Id, listPageOf } from '#contract/common.ts';
import * as endpoints from '#contract/endpoints.ts';
import { DeviceHeader, LoginAnswer } from '#contract/login.ts';
import * as contract from '#contract/passkey.ts';
import * as operations from '#server/operations/accounts/passkeys.ts';
import { loginSource, toLoginAnswer } from './login.ts';
import { anyone, artists, route } from './route.ts';

const CREDENTIAL_EXAMPLE = {
  id: 'q0Jv5mXl3b2Yk9H1',
  rawId: 'q0Jv5mXl3b2Yk9H1',
  type: 'public-key',
};

export const passkeys = [
  route(endpoints.listPasskeys, artists, {
    summary: 'The passkeys of the artist',
    input: {},
    response: listPageOf(contract.Passkey),
    handle: ({ context, artist }) => operations.listPasskeys(context, artist.id),
  }),
  route(endpoints.startPasskey, artists, {
    summary: 'What a browser needs to make a passkey',
    description: 'For `navigator.credentials.create`. The challenge lasts five minutes.',
    input: { body: contract.PasskeyRequest },
    example: { current_password: 'correct horse' },
    response: contract.PasskeyCreationOptions,
    refusals: ['wrong_password', 'too_many_passkeys', 'too_many_wrong_passwords'],
    rateLimit: 'login',
    handle: ({ context, artist, body, now }) =>
      operations.startPasskey(context, artist, body.current_password, now),
  }),
  route(endpoints.addPasskey, artists, {
    summary: 'Add the passkey that a browser made',
    description: 'The artist is mailed about it.',
    input: { body: contract.NewPasskey },
    example: {
      ...CREDENTIAL_EXAMPLE,
      response: { clientDataJSON: 'eyJ0eXBlIjoi', attestationObject: 'o2NmbXRkbm9uZQ' },
    },
    status: 201,
    response: contract.Passkey,
    refusals: ['passkey_not_valid', 'too_many_passkeys'],
    handle: ({ context, artist, body, userAgent, now }) =>
      operations.addPasskey(context, { ...artist, userAgent }, body, now),
  }),
  route(endpoints.removePasskey, artists, {
    summary: 'Remove a passkey of the artist',
    description: 'Nobody can log in with it any more. The artist is mailed about it.',
    input: { path: z.object({ passkey_id: Id }) },
    handle: ({ context, artist, path }) =>
      operations.removePasskey(context, artist, path.passkey_id),
  }),
  route(endpoints.startPasskeyLogin, anyone, {
    summary: 'What a browser needs to log in with a passkey',
    description: 'For `navigator.credentials.get`. The challenge lasts five minutes.',
    input: {},
    response: contract.PasskeyLoginOptions,
    rateLimit: 'login',
    handle: ({ context, now }) => operations.startPasskeyLogin(context, now),
  }),
  route(endpoints.logInWithPasskey, anyone, {
    summary: 'Log in with a passkey',
    description: 'The answer is that of a login with a password.',
    input: { header: DeviceHeader, body: contract.PasskeyLogin },
    example: {
      ...CREDENTIAL_EXAMPLE,
      response: {
        clientDataJSON: 'eyJ0eXBlIjoi',
        authenticatorData: 'SZYN5YgOjGh0NBcP',
        signature: 'MEUCIQDx',
      },
    },
    response: LoginAnswer,
    refusals: ['passkey_not_valid', 'artist_inactive'],
    rateLimit: 'login',
    handle: async (call) => {
      const { context, body, now } = call;
      const source = loginSource(call);
      return toLoginAnswer(await operations.logInWithPasskey(context, body, source, now));
    },
  }),
];
