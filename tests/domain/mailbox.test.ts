import { expect, test } from 'vitest';
import { toMailbox } from '#domain/mailbox.ts';

test.each([
  ['Rosa@Example.com', 'rosa@example.com'],
  ['rosa+ink@example.com', 'rosa@example.com'],
  ['rosa+a+b@example.com', 'rosa@example.com'],
  ['+rosa@example.com', '+rosa@example.com'],
  ['r.o.s.a@example.com', 'r.o.s.a@example.com'],
  ['R.o.s.a+ink@Gmail.com', 'rosa@gmail.com'],
  ['rosa@googlemail.com', 'rosa@gmail.com'],
  ['ro_s-a@pm.me', 'rosa@proton.me'],
  ['rosa@protonmail.com', 'rosa@proton.me'],
  ['ro.sa@me.com', 'ro.sa@icloud.com'],
])('mail to %s arrives in the mailbox %s', (email, mailbox) => {
  expect(toMailbox(email)).toBe(mailbox);
});
