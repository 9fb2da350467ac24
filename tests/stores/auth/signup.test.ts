import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '#client/call.ts';
import type { RefusalReason } from '#domain/refusal.ts';
import { takeLoginEmail } from '#stores/auth/login.ts';
import { isAccountError, submitSignup, toTakenField } from '#stores/auth/signup.ts';
import { showToastFromLastPage } from '#stores/toasts.ts';
import { type ApiCall, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, toastTexts } from '#support/fake_schedule_api.ts';

const SIGNUP = {
  email: 'Ana <ana@example.com>',
  full_name: 'Ana Reyes',
  username: 'ana',
  password: 'correct horse',
  confirm_password: 'correct horse',
  studio_name: 'Ink & Ivory',
  address_one: '12 Orchard Street',
  city: 'New York',
  state: 'NY',
  zip_code: '10002',
  time_zone: 'America/New_York',
};

let calls: ApiCall[];
let reply: () => Response | object;

beforeEach(() => {
  reply = () => ANA_SELF;
  calls = stubApi(() => reply());
});

const invalid = (field: string) =>
  new ApiError(422, '', [{ type: 'value', loc: ['body', field], msg: 'Wrong' }]);

test('a new account shows a toast on the login page and fills in the email there', async () => {
  expect(await submitSignup(SIGNUP)).toBeNull();
  expect(calls).toMatchObject([{ method: 'POST', path: 'users/signup', body: SIGNUP }]);
  expect(toastTexts()).toEqual([]);
  showToastFromLastPage();
  expect(toastTexts()[0]).toContain('Account created.');
  expect(takeLoginEmail()).toBe('ana@example.com');
});

const refused = (reason?: RefusalReason) => new ApiError(409, '', 'It is taken', { reason });

test('the reason of a refusal tells a taken username from a taken email', () => {
  const taken = { field: 'username', message: 'It is taken' };
  expect(toTakenField(refused('username_taken'))).toEqual(taken);
  expect(toTakenField(refused('email_taken'))?.field).toBe('email');
  expect(toTakenField(refused())).toBeNull();
  expect(toTakenField(new TypeError('Failed to fetch'))).toBeNull();
});

test('only errors of the account fields belong to the first step', () => {
  const account = { email: 'rosa@example.com', password: '' };
  expect(isAccountError(invalid('password'), account)).toBe(true);
  expect(isAccountError(refused('email_taken'), account)).toBe(true);
  expect(isAccountError(invalid('zip_code'), account)).toBe(false);
  expect(isAccountError(new ApiError(503, '', 'Busy'), account)).toBe(false);
  expect(isAccountError(new TypeError('Failed to fetch'), account)).toBe(false);
});
