/**
 * The calls of the sign-up and of links in account mails. They are apart, so that these pages do not load the
 * others.
 */
import type { PasswordCheck, PasswordToCheck, Signup, UsernameCheck } from './account_form.ts';
import type { CurrentArtist } from './artist.ts';
import type { Message } from './common.ts';
import {
  type BodyOf,
  type ById,
  type ByUsername,
  type FromDevice,
  get,
  post,
} from './endpoint_definition.ts';
import type {
  EmailChangeUndone,
  EmailProof,
  EmailUndo,
  PasswordReset,
  PasswordResetAnswer,
} from './login.ts';

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
