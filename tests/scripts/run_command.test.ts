import { expect, test } from 'vitest';
import { refuse } from '#domain/refusal.ts';
import { describeFailure } from '#server/log/describe_failure.ts';
import { ConfigError } from '#server/settings/config.ts';

function systemError(code: string, rest: object) {
  return Object.assign(new Error(`${code}: failed`), { code, ...rest });
}

test.each([
  [new ConfigError('PORT must be a number'), 'PORT must be a number'],
  [
    refuse('billing_unreachable'),
    'The card provider cannot be reached right now. Please try again soon.',
  ],
  [
    systemError('ENOSPC', { path: '/var/lib/linework' }),
    'The disk is full: /var/lib/linework. Free space on it.',
  ],
  [
    systemError('EACCES', { path: '/etc/key' }),
    'This user has no access: /etc/key. Give it access, or run this as another user.',
  ],
  [
    systemError('ECONNREFUSED', { address: '127.0.0.1', port: 5432 }),
    'Nothing listens: 127.0.0.1:5432. Start the server there, or correct its address.',
  ],
  [
    new TypeError('x is\nundefined'),
    'This failed unexpectedly: TypeError: x is undefined. LOG_LEVEL=debug shows where.',
  ],
])('a command that fails with %s ends with a sentence and no stack', (error, sentence) => {
  expect(describeFailure(error, false)).toBe(sentence);
});

test('LOG_LEVEL=debug adds the stack of an unexpected error', () => {
  expect(describeFailure(new TypeError('x'), true)).toMatch(/^This failed .*\nTypeError: x\n +at /);
});
