/** The calls of the login, the sign-up and their links. They are apart, so that these pages do not load the others. */
import type { PasswordCheck, PasswordToCheck, Signup, UsernameCheck } from './account_form.ts';
import type { CurrentArtist } from './artist.ts';
import type { Message } from './common.ts';
import type { NoInput } from './endpoint.ts';
import {
  type BodyOf,
  type ById,
  type ByUsername,
  del,
  type FromDevice,
  get,
  post,
} from './endpoint_definition.ts';
import type {
  EmailChangeUndone,
  EmailProof,
  EmailUndo,
  Login,
  LoginAnswer,
  PasswordReset,
  PasswordResetAnswer,
} from './login.ts';
import type { PasskeyLogin, PasskeyLoginOptions } from './passkey.ts';

/** `username` is the artist's email address. */
export const logIn = post<FromDevice & BodyOf<typeof Login>, LoginAnswer>('/login/access-token', {
  bodyKind: 'form',
  field: 'access_token',
});
export const logOut = del<NoInput, void>('/users/me/session', { field: null });
export const startPasskeyLogin = post<NoInput, PasskeyLoginOptions>('/login/passkey/options', {
  field: 'challenge',
});
export const logInWithPasskey = post<FromDevice & BodyOf<typeof PasskeyLogin>, LoginAnswer>(
  '/login/passkey',
  { field: 'access_token' },
);
export const recoverPassword = post<FromDevice & ById<'email'>, Message>(
  '/password-recovery/:email',
  { field: 'message' },
);
export const resetPassword = post<FromDevice & BodyOf<typeof PasswordReset>, PasswordResetAnswer>(
  '/reset-password/',
  { field: 'message' },
);
export const signUp = post<BodyOf<typeof Signup>, CurrentArtist>('/users/signup');
export const checkUsername = get<ByUsername, UsernameCheck>('/users/names/:username', {
  field: 'is_free',
});
export const checkPassword = post<BodyOf<typeof PasswordToCheck>, PasswordCheck>(
  '/users/signup/password',
  { field: 'why' },
);
export const proveEmail = post<BodyOf<typeof EmailProof>, Message>('/users/prove-email', {
  field: 'message',
});
export const undoEmailChange = post<BodyOf<typeof EmailUndo>, EmailChangeUndone>(
  '/users/undo-email-change',
  { field: 'reset_token' },
);
