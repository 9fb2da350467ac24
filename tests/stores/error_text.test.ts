import { expect, test } from 'vitest';
import { ApiError } from '#client/call.ts';
import { errorText } from '#stores/error_text.ts';

test('the error text of a refusal is the detail of the API', () => {
  expect(errorText(new ApiError(409, 'Conflict', 'The username is taken'))).toBe(
    'The username is taken',
  );
});

test('the error text of several invalid fields is that of the first', () => {
  const items = ['Too long', 'Not an email'].map((msg) => ({ type: 'value', loc: ['body'], msg }));
  expect(errorText(new ApiError(422, 'Unprocessable Content', items))).toBe('Too long');
});

test('a failed fetch reads as a lost connection', () => {
  expect(errorText(new TypeError('Failed to fetch'))).toBe(
    'The connection was lost. Please try again.',
  );
});
