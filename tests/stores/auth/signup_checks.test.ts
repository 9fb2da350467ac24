import { beforeEach, expect, test, vi } from 'vitest';
import { createSignupChecks } from '#stores/auth/signup_checks.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';

const TAKEN = 'This username is already taken';

let calls: ApiCall[];
let answers: Record<string, Promise<object | 'lost'>>;

beforeEach(() => {
  answers = {};
  calls = stubApi(({ path }) => answers[path] ?? { is_free: false, why: TAKEN });
});

test('a username is asked about once typing pauses at its end, and only the answer about the last one counts', async () => {
  const told = vi.fn();
  const follow = createSignupChecks().followUsername(told);
  const slow = Promise.withResolvers<object>();
  answers['users/names/mika'] = slow.promise;
  for (const typed of ['mi', '@Mik', '@Mika']) follow(typed);
  await expect.poll(() => calls.map(({ path }) => path)).toEqual(['users/names/mika']);
  for (const typed of ['mika.', 'mika.t', 'mika.ta']) follow(typed);
  await expect.poll(() => told.mock.calls).toEqual([[TAKEN]]);
  slow.resolve({ is_free: true, why: null });
  await slow.promise;
  expect(calls.map(({ path }) => path)).toEqual(['users/names/mika', 'users/names/mika.ta']);
  await new Promise((resolve) => setTimeout(resolve));
  expect(told).toHaveBeenCalledTimes(1);
});

test('the answer of before a refused sign-up does not clear the refusal of the same username', async () => {
  vi.useFakeTimers();
  const told = vi.fn();
  const { findUsernameProblem, followUsername, setUsernameRefusal } = createSignupChecks();
  answers['users/names/mika'] = Promise.resolve({ is_free: true, why: null });
  followUsername(told)('mika');
  expect(await findUsernameProblem('mika')).toBeNull();
  setUsernameRefusal('@Mika', TAKEN);
  await vi.advanceTimersByTimeAsync(300);
  expect(told.mock.calls).toEqual([[TAKEN]]);
  expect(await findUsernameProblem('mika')).toBe(TAKEN);
});

test('a call that fails says nothing, and the next look at the same value makes it again', async () => {
  const { findPasswordProblem } = createSignupChecks();
  const why = 'This password is too common';
  answers['users/signup/password'] = Promise.resolve('lost');
  expect(await findPasswordProblem('password1')).toBeNull();
  answers['users/signup/password'] = Promise.resolve({ why });
  expect(await findPasswordProblem('password1')).toBe(why);
  expect(await findPasswordProblem('password1')).toBe(why);
  expect(calls).toHaveLength(2);
});
