import { expect, test } from 'vitest';
import {
  emailProofArtist,
  hashMailbox,
  isEmailProof,
  readMailStop,
  signEmailProof,
  signMailStop,
} from '#server/operations/mail_tokens.ts';

const SECRET = new TextEncoder().encode('a secret that only tests know');
const OTHER_SECRET = new TextEncoder().encode('the secret of another server');
const ANA = 'a0000000-0000-4000-8000-000000000001';
const BO = 'a0000000-0000-4000-8000-000000000002';

test('the proof of an email is valid for this artist and email alone, in any letter case', () => {
  const token = signEmailProof(SECRET, ANA, 'Ana@example.com');
  expect(emailProofArtist(token)).toBe(ANA);
  expect(isEmailProof(SECRET, token, ANA, 'ana@EXAMPLE.com')).toBe(true);
  expect(isEmailProof(SECRET, token, ANA, 'new@example.com')).toBe(false);
  expect(isEmailProof(SECRET, token, BO, 'ana@example.com')).toBe(false);
  expect(isEmailProof(OTHER_SECRET, token, ANA, 'ana@example.com')).toBe(false);
  expect(emailProofArtist('x.y')).toBe(undefined);
});

test('a token that stops mail holds no address and is the same for all spellings of it', () => {
  const stop = { artistId: ANA, mailboxHash: hashMailbox('Ro.sa+ink@gmail.com') };
  const token = signMailStop(SECRET, stop);
  expect(token).not.toMatch(/rosa|gmail|@/i);
  expect(token).toBe(
    signMailStop(SECRET, { artistId: ANA, mailboxHash: hashMailbox('rosa@googlemail.com') }),
  );
  expect(readMailStop(SECRET, token)).toEqual(stop);
  expect(readMailStop(SECRET, token.replace(ANA, BO))).toBe(undefined);
  expect(readMailStop(OTHER_SECRET, token)).toBe(undefined);
});

test('a token of one purpose is not valid for the other', () => {
  const mailboxHash = hashMailbox('ana@example.com');
  const stop = signMailStop(SECRET, { artistId: ANA, mailboxHash });
  expect(isEmailProof(SECRET, stop, ANA, 'ana@example.com')).toBe(false);
  expect(readMailStop(SECRET, signEmailProof(SECRET, ANA, mailboxHash))).toBe(undefined);
});
