import { expect, test } from 'vitest';
import { redactEmails } from '#domain/mail/redact_emails.ts';

test.each([
  ['no mailbox rosa@example.com', 'no mailbox …@…'],
  ["550 <mary.o'brien@example.com>: unknown", '550 <…@…>: unknown'],
  ['"a b"@example.com is full', '…@… is full'],
  ['550 <bounces+rosa=example.com@mail.example>', '550 <…@…>'],
  ['SRS0=ab=cd=example.com=rosa@fwd.example', '…@…'],
  ['Key (email)=(Rosa+ink@Example.COM) exists', 'Key (email)=(…@…) exists'],
  ['rosa@[192.0.2.1], zoë@bücher.example', '…@…, …@…'],
  ['smtp://operator:s3cret@mail.example:587', '…@…:587'],
  ['…@… again', '…@… again'],
])('in %j the addresses are replaced', (text, redacted) => {
  expect(redactEmails(text)).toBe(redacted);
});

test('the path of a package with a scope is not an address', () => {
  const path = 'file:///opt/linework/node_modules/@aws-sdk/client-s3/index.js';
  expect(redactEmails(path)).toBe(path);
});
