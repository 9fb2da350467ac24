import { expect, test } from 'vitest';
import { toMailbox } from '#domain/mail/mailbox.ts';

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
  ['ro.sa-ink@yandex.com', 'ro-sa-ink@yandex.ru'],
  ['ro-sa.ink+a@ya.ru', 'ro-sa-ink@yandex.ru'],
  ['rosa@yandex.com.tr', 'rosa@yandex.ru'],
  ['rosa-ink@yahoo.com', 'rosa@yahoo.com'],
  ['rosa-a-b@yahoo.co.uk', 'rosa@yahoo.co.uk'],
  ['-rosa@yahoo.com', '-rosa@yahoo.com'],
  ['rosa-ink@ymail.com', 'rosa@ymail.com'],
  ['rosa-ink@yahoo.evil.com', 'rosa-ink@yahoo.evil.com'],
  ['any@rosa.fastmail.com', 'rosa@fastmail.com'],
  ['any+ink@rosa.fastmail.fm', 'rosa@fastmail.fm'],
  ['rosa+ink@fastmail.com', 'rosa@fastmail.com'],
  ['any@a.rosa.fastmail.com', 'any@a.rosa.fastmail.com'],
  ['any@rosa.example.com', 'any@rosa.example.com'],
])('mail to %s arrives in the mailbox %s', (email, mailbox) => {
  expect(toMailbox(email)).toBe(mailbox);
});
