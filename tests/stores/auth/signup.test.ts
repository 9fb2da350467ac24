import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '#client/http.ts';
import { takeEmail } from '#stores/auth/login.ts';
import { createAccount, isAboutAccount, takenBySomebody } from '#stores/auth/signup.ts';
import { $toasts, tellFromLastPage } from '#stores/toasts.ts';
import { type ApiCall, refusal, stubApi } from '#support/fake_api.ts';
import { ANA_SELF, messages } from '#support/fake_studio.ts';

const SIGNUP = {
  email: ' ana@example.com ',
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
  sessionStorage.clear();
  $toasts.set([]);
});

const invalid = (field: string) =>
  new ApiError(422, '', [{ type: 'value', loc: ['body', field], msg: 'Wrong' }]);

test('a new account is announced at the login, where the email is filled in', async () => {
  expect(await createAccount(SIGNUP)).toBeNull();
  expect(calls).toMatchObject([{ method: 'POST', path: 'users/signup', body: SIGNUP }]);
  expect(messages()).toEqual([]);
  tellFromLastPage();
  expect(messages()[0]).toContain('Account created.');
  expect(takeEmail()).toBe('ana@example.com');
});

test('a refused sign-up is explained and carries nothing over', async () => {
  reply = () => refusal(409, 'This username is taken');
  expect(await createAccount(SIGNUP)).toBeInstanceOf(ApiError);
  expect(messages()).toEqual(['Something went wrong. This username is taken']);
  expect(takeEmail()).toBe('');
});

test('a taken username or email is told apart by the words of the refusal', () => {
  const username = 'A user with this username already exists';
  const email = 'A user with this email already exists';
  expect(takenBySomebody(new ApiError(409, '', username))).toEqual({
    field: 'username',
    message: username,
  });
  expect(takenBySomebody(new ApiError(409, '', email))?.field).toBe('email');
  expect(takenBySomebody(new ApiError(400, '', username))).toBeNull();
  expect(takenBySomebody(new TypeError('Failed to fetch'))).toBeNull();
});

test('failures that belong to the first step lead back to it', () => {
  expect(isAboutAccount(invalid('password'))).toBe(true);
  expect(isAboutAccount(new ApiError(409, '', 'This email is taken'))).toBe(true);
  expect(isAboutAccount(invalid('zip_code'))).toBe(false);
  expect(isAboutAccount(new ApiError(503, '', 'Busy'))).toBe(false);
  expect(isAboutAccount(new TypeError('Failed to fetch'))).toBe(false);
});
