/** The calls that begin and end a login. They are apart, so that the login page does not load the others. */
import type { NoInput } from './endpoint.ts';
import { type BodyOf, del, type FromDevice, post } from './endpoint_definition.ts';
import type { Login, LoginAnswer } from './login.ts';
import type { PasskeyLogin, PasskeyLoginOptions } from './passkey.ts';

/** `username` is the artist's email address. */
export const logIn = post<FromDevice & BodyOf<typeof Login>, LoginAnswer>('/login/access-token', {
  bodyKind: 'form',
  field: 'access_token',
});
export const logOut = del<NoInput>('/users/me/session');
export const startPasskeyLogin = post<NoInput, PasskeyLoginOptions>('/login/passkey/options', {
  field: 'challenge',
});
export const logInWithPasskey = post<FromDevice & BodyOf<typeof PasskeyLogin>, LoginAnswer>(
  '/login/passkey',
  { field: 'access_token' },
);
