import { expect, test } from 'vitest';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import {
  emailProofArtist,
  isEmailProof,
  isMailToken,
  readEmailUndo,
  readMailStop,
  signEmailProof,
  signEmailUndo,
  signMailStop,
  signMailToken,
} from '#server/operations/mail_tokens.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';

const KEYS = createTokenKeys(Buffer.from('a secret that only tests know'));
const OTHER_KEYS = createTokenKeys(Buffer.from('the secret of another server'));
const ANA = 'a0000000-0000-4000-8000-000000000001';
const BO = 'a0000000-0000-4000-8000-000000000002';

test('the proof of an email is valid for this artist and email alone, in any letter case', () => {
  const token = signEmailProof(KEYS, ANA, 'Ana@example.com');
  expect(emailProofArtist(token)).toBe(ANA);
  expect(isEmailProof(KEYS, token, ANA, 'ana@EXAMPLE.com')).toBe(true);
  expect(isEmailProof(KEYS, token, ANA, 'new@example.com')).toBe(false);
  expect(isEmailProof(KEYS, token, BO, 'ana@example.com')).toBe(false);
  expect(isEmailProof(OTHER_KEYS, token, ANA, 'ana@example.com')).toBe(false);
  expect(emailProofArtist('x.y')).toBe(undefined);
});

test.each(['.', '.tail', '.tail.more'])('a token with the tail "%s" is not ours', (tail) => {
  const proof = signEmailProof(KEYS, ANA, 'ana@example.com');
  expect(isEmailProof(KEYS, proof + tail, ANA, 'ana@example.com')).toBe(false);
  const stop = signMailStop(KEYS, { artistId: ANA, mailboxHash: hashMailbox('ana@example.com') });
  expect(readMailStop(KEYS, stop + tail)).toBe(undefined);
  expect(readEmailUndo(KEYS, signEmailUndo(KEYS, ANA) + tail)).toBe(undefined);
});

test('a token that stops mail holds no address and is the same for all spellings of it', () => {
  const stop = { artistId: ANA, mailboxHash: hashMailbox('Ro.sa+ink@gmail.com') };
  const token = signMailStop(KEYS, stop);
  expect(token).not.toMatch(/rosa|gmail|@/i);
  expect(token).toBe(
    signMailStop(KEYS, { artistId: ANA, mailboxHash: hashMailbox('rosa@googlemail.com') }),
  );
  expect(readMailStop(KEYS, token)).toEqual(stop);
  expect(readMailStop(KEYS, token.replace(ANA, BO))).toBe(undefined);
  expect(readMailStop(OTHER_KEYS, token)).toBe(undefined);
});

test('a token of one purpose is not valid for the other', () => {
  const mailboxHash = hashMailbox('ana@example.com');
  const stop = signMailStop(KEYS, { artistId: ANA, mailboxHash });
  expect(isEmailProof(KEYS, stop, ANA, 'ana@example.com')).toBe(false);
  expect(readMailStop(KEYS, signEmailProof(KEYS, ANA, mailboxHash))).toBe(undefined);
});

test('a link that undoes a change of the email names its change, and cannot be made up', () => {
  const token = signEmailUndo(KEYS, ANA);
  expect(readEmailUndo(KEYS, token)).toBe(ANA);
  expect(readEmailUndo(KEYS, token.replace(ANA, BO))).toBe(undefined);
  expect(readEmailUndo(OTHER_KEYS, token)).toBe(undefined);
  expect(readEmailUndo(KEYS, ANA)).toBe(undefined);
});

test('all links of the key before work while that key is still set', () => {
  const changed = createTokenKeys(Buffer.from('the next secret of this server'), KEYS.signing);
  const email = 'ana@example.com';
  const stop = { artistId: ANA, mailboxHash: hashMailbox(email) };
  expect(isEmailProof(changed, signEmailProof(KEYS, ANA, email), ANA, email)).toBe(true);
  expect(isMailToken(changed, signMailToken(KEYS, BO, email), BO, email)).toBe(true);
  expect(readMailStop(changed, signMailStop(KEYS, stop))).toEqual(stop);
  expect(readEmailUndo(changed, signEmailUndo(KEYS, BO))).toBe(BO);
  // New links carry the new key.
  expect(readEmailUndo(KEYS, signEmailUndo(changed, BO))).toBe(undefined);
});
