import { expect, test } from 'vitest';
import { ApiError } from '#client/http.ts';
import { errorText } from '#stores/error_text.ts';

test('a refusal is explained in the words of the API', () => {
  expect(errorText(new ApiError(409, 'Conflict', 'The username is taken'))).toBe(
    'The username is taken',
  );
});

test('of several invalid fields the first is named', () => {
  const items = ['Too long', 'Not an email'].map((msg) => ({ type: 'value', loc: ['body'], msg }));
  expect(errorText(new ApiError(422, 'Unprocessable Content', items))).toBe('Too long');
});

test('a failure without an answer is a lost connection', () => {
  expect(errorText(new TypeError('Failed to fetch'))).toBe(
    'The connection was lost. Please try again.',
  );
});
