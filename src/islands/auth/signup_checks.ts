import { useEffect } from 'react';
import type { FieldErrors, Resolver, UseFormReturn } from 'react-hook-form';
import type * as z from 'zod/mini';
import type { SignupAccount } from '#contract/account_form.ts';
import type { SignupChecks } from '#stores/auth/signup_checks.ts';

type AccountInput = z.input<typeof SignupAccount>;
type Account = z.output<typeof SignupAccount>;

/** Validates the first step by its schema, then by the API's checks. */
export function withSignupChecks(
  resolver: Resolver<AccountInput, unknown, Account>,
  { findUsernameProblem, findPasswordProblem }: SignupChecks,
): Resolver<AccountInput, unknown, Account> {
  return async (values, context, options) => {
    const result = await resolver(values, context, options);
    const errors: FieldErrors<AccountInput> = { ...result.errors };
    const check = async (
      name: 'username' | 'password',
      findProblem: (value: string) => Promise<string | null>,
    ) => {
      if (errors[name] || !options.names?.includes(name)) return;
      // A refused password is validated alone with each key: do not send its beginnings to the API.
      if (name === 'password' && options.names.length === 1 && isFocused(name)) return;
      const message = await findProblem(values[name]);
      if (message !== null) errors[name] = { type: 'server', message };
    };
    await Promise.all([
      check('username', findUsernameProblem),
      check('password', findPasswordProblem),
    ]);
    return Object.keys(errors).length > 0 ? { values: {}, errors } : result;
  };
}

function isFocused(name: string): boolean {
  return document.activeElement?.getAttribute('name') === name;
}

/** While a username is typed, shows that it cannot be had. */
export function useUsernameCheck(
  { subscribe, getFieldState, trigger }: UseFormReturn<AccountInput, unknown, Account>,
  { followUsername }: SignupChecks,
): void {
  useEffect(() => {
    const onUsername = followUsername((problem) => {
      // Shows the problem, or removes the error of an earlier one.
      if (problem !== null || getFieldState('username').invalid) void trigger('username');
    });
    return subscribe({
      name: 'username',
      exact: true,
      formState: { values: true },
      callback: ({ values }) => onUsername(values.username),
    });
  }, [subscribe, getFieldState, trigger, followUsername]);
}
