import { expect, test } from 'vitest';
import {
  type MailTrust,
  mailLimits,
  mergeableKinds,
  needsLink,
  waysToCount,
} from '#domain/mail/mail_budget.ts';
import { type CountedMail, MAIL_LIMITS } from '#domain/requests/limits.ts';
import { HOUR_MS } from '#domain/time/time.ts';

const TO_CLIENT: CountedMail = {
  ...{ mailId: 'm', mailbox: 'rosa@example.com', source: '203.0.113.0/24', senderId: 'ana' },
  ...{ isLinkNeeded: false, isForSafety: false },
};
const TO_ARTIST: CountedMail = { ...TO_CLIENT, senderId: null };
const STRANGER: MailTrust = {
  isArtistProven: true,
  isMailboxProven: false,
  isKnownToArtist: false,
  isOfUnprovenAccount: false,
};
const KNOWN = { ...STRANGER, isMailboxProven: true, isKnownToArtist: true };

/** The limits as `like which mails: number in how many hours`. */
function limitsOf(mail: CountedMail, trust: MailTrust): string[] {
  return mailLimits(mail, trust).map((name) => {
    const { by, most, periodMs } = MAIL_LIMITS[name];
    return `${by.join(' ')}: ${most} in ${periodMs / HOUR_MS}`;
  });
}

test('one source mails a stranger 4 times a day, a client of others 10 times, and a known client without limit', () => {
  const ofSource = (trust: MailTrust) =>
    limitsOf(TO_CLIENT, trust).filter((limit) => limit.startsWith('mailbox'));
  expect(ofSource(STRANGER)).toEqual(['mailbox: 5 in 24', 'mailbox source: 4 in 24']);
  expect(ofSource({ ...KNOWN, isKnownToArtist: false })).toEqual([
    'mailbox: 30 in 1',
    'mailbox source: 10 in 24',
  ]);
  expect(ofSource(KNOWN)).toEqual(['mailbox: 30 in 1']);
});

test('an artist’s mails with a needed link have limits of their own, and networks a part of each', () => {
  const ofArtist = (changes: Partial<CountedMail>, trust = KNOWN) =>
    limitsOf({ ...TO_CLIENT, ...changes }, trust).filter((limit) => limit.startsWith('sender'));
  const all = 'senderId isLinkNeeded: 600 in 24';
  expect(ofArtist({})).toEqual([all, 'senderId isLinkNeeded source: 150 in 24']);
  expect(ofArtist({ isLinkNeeded: true })).toEqual([all, 'senderId isLinkNeeded source: 60 in 24']);
  expect(ofArtist({ source: 'ana' })).toEqual([all]);
  const unproven = { ...KNOWN, isArtistProven: false };
  expect(ofArtist({}, unproven)).toEqual(['senderId: 30 in 24']);
  // Also those that count apart in their mailbox.
  const [apart] = waysToCount('links', TO_CLIENT, unproven);
  expect(apart?.limits).toEqual(['unprovenArtist', 'links']);
});

test('of the five mails to an unproven account two are for its recovery and the proof of its email', () => {
  const trust = { ...STRANGER, isArtistProven: false, isOfUnprovenAccount: true };
  expect(limitsOf({ ...TO_ARTIST, isForSafety: true }, trust)).toEqual(['mailbox: 5 in 24']);
  for (const mail of [TO_ARTIST, TO_CLIENT])
    expect(limitsOf(mail, trust)).toEqual(
      expect.arrayContaining(['mailbox: 5 in 24', 'mailbox isForSafety: 3 in 24']),
    );
});

test('one mail tells an artist of requests about data together with bookings and messages', () => {
  expect(mergeableKinds('data_requested')).toEqual(
    expect.arrayContaining(['data_requested', 'new_booking', 'contact_message']),
  );
  expect(mergeableKinds('new_booking')).toContain('data_requested');
  expect(mergeableKinds('export_ready')).toEqual([]);
});

test('a link that changes the email is in a mail of its own, which says what to do if it was not you', () => {
  expect(mergeableKinds('email_change_link')).toEqual([]);
  expect(mergeableKinds('booked')).not.toContain('email_change_link');
});

test('the link is needed if the client asked for it, or must prove their email to confirm', () => {
  expect(needsLink('hold', true)).toBe(true);
  expect(needsLink('offer', true)).toBe(true);
  expect(needsLink('hold', false)).toBe(false);
  expect(needsLink('links', false)).toBe(true);
  expect(needsLink('booked', true)).toBe(false);
});
