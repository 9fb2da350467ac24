// The schemas of these forms, apart from the islands: they are loaded with the first field that is left.
import { NewPasswordForm, SignupAccount, SignupStudio } from '#contract/account_form.ts';
import { Login, RecoveryForm } from '#contract/login.ts';
import { createResolver } from '../forms/schema_resolver.ts';

export const loginResolver = createResolver(Login);
export const recoveryResolver = createResolver(RecoveryForm);
export const newPasswordResolver = createResolver(NewPasswordForm);
export const accountResolver = createResolver(SignupAccount);
export const studioResolver = createResolver(SignupStudio);
