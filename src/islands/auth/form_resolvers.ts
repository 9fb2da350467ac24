// The resolvers of this folder's forms. `useLoadedForm` loads them when a form is first validated.
import { NewPasswordForm, SignupAccount, SignupStudio } from '#contract/account_form.ts';
import { Login, RecoveryForm } from '#contract/login.ts';
import { createResolver } from '../forms/schema_resolver.ts';

export const loginResolver = createResolver(Login);
export const recoveryResolver = createResolver(RecoveryForm);
export const newPasswordResolver = createResolver(NewPasswordForm);
export const accountResolver = createResolver(SignupAccount);
export const studioResolver = createResolver(SignupStudio);
