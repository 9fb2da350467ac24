import { expect, test } from 'vitest';
import { mailOwner } from '#domain/mail/mail_owner.ts';

test('at a public provider, each mailbox has an owner', () => {
  for (const [email, name] of [
    ['Ro.sa+ink@gmail.com', 'rosa@gmail.com'],
    ['rosa@yahoo.co.uk', 'rosa@yahoo.co.uk'],
    ['rosa@bluewin.ch', 'rosa@bluewin.ch'],
    ['rosa@outlook.com', 'rosa@outlook.com'],
    ['rosa@live.co.uk', 'rosa@live.co.uk'],
    ['rosa@ya.ru', 'rosa@yandex.ru'],
  ] as const)
    expect(mailOwner(email)).toEqual({ name, isAtPublicProvider: true });
});

test('elsewhere, one owner has all mailboxes of a domain and its subdomains', () => {
  for (const [email, name] of [
    ['a1@evil.example.com', 'example.com'],
    ['b@x7.ink.co.uk', 'ink.co.uk'],
    ['c@gmail.evil.com', 'evil.com'],
    ['d@my-gmail.com', 'my-gmail.com'],
    ['e@[192.0.2.1]', '[192.0.2.1]'],
    ['f@localhost', 'localhost'],
    ['g@zohomail.xyz', 'zohomail.xyz'],
    ['h@live.win', 'live.win'],
    ['i@gmail.top', 'gmail.top'],
    ['j@hotmail.cm', 'hotmail.cm'],
  ] as const)
    expect(mailOwner(email)).toEqual({ name, isAtPublicProvider: false });
});
