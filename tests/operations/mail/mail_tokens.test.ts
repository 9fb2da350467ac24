import { expect, test } from 'vitest';
import { hashMailbox } from '#server/database/hashed_keys.ts';
import { emailProofArtist, readLink, signLink } from '#server/operations/mail/mail_tokens.ts';
import { createTokenKeys } from '#server/operations/token_keys.ts';

const KEYS = createTokenKeys(Buffer.from('a secret that only tests know'));
const OTHER_KEYS = createTokenKeys(Buffer.from('the secret of another server'));
const ANA = 'a0000000-0000-4000-8000-000000000001';
const BO = 'a0000000-0000-4000-8000-000000000002';
const EMAIL = 'ana@example.com';
const STOP = [ANA, hashMailbox(EMAIL)];

test('the proof of an email is valid for this artist and email alone, in any letter case', () => {
  const token = signLink(KEYS, 'prove email', [ANA], ['Ana@example.com']);
  const read = (keys = KEYS, email = EMAIL, proof = token) =>
    readLink(keys, 'prove email', proof, [email]);
  expect(emailProofArtist(token)).toBe(ANA);
  expect(read(KEYS, 'ana@EXAMPLE.com')).toEqual([ANA]);
  expect(read(KEYS, 'new@example.com')).toBe(undefined);
  expect(read(KEYS, EMAIL, token.replace(ANA, BO))).toBe(undefined);
  expect(read(OTHER_KEYS)).toBe(undefined);
  expect(emailProofArtist('x.y')).toBe(undefined);
});

test.each(['.', '.tail', '.tail.more'])('a token with the tail "%s" is not ours', (tail) => {
  const proof = signLink(KEYS, 'prove email', [ANA], [EMAIL]);
  expect(readLink(KEYS, 'prove email', proof + tail, [EMAIL])).toBe(undefined);
  for (const [purpose, facts] of [
    ['stop mail', STOP],
    ['undo email change', [ANA]],
  ] as const)
    expect(readLink(KEYS, purpose, signLink(KEYS, purpose, facts) + tail)).toBe(undefined);
});

test('a token that stops mail holds no address and is the same for all spellings of it', () => {
  const stop = [ANA, hashMailbox('Ro.sa+ink@gmail.com')];
  const token = signLink(KEYS, 'stop mail', stop);
  expect(token).not.toMatch(/rosa|gmail|@/i);
  expect(token).toBe(signLink(KEYS, 'stop mail', [ANA, hashMailbox('rosa@googlemail.com')]));
  expect(readLink(KEYS, 'stop mail', token)).toEqual(stop);
  expect(readLink(KEYS, 'stop mail', token.replace(ANA, BO))).toBe(undefined);
  expect(readLink(OTHER_KEYS, 'stop mail', token)).toBe(undefined);
});

test('a token of one purpose is not valid for the other, nor one with other facts named', () => {
  const proof = signLink(KEYS, 'prove email', [ANA], [EMAIL]);
  expect(readLink(KEYS, 'stop mail', proof, [EMAIL])).toBe(undefined);
  const [, signature = ''] = proof.split('.');
  expect(readLink(KEYS, 'prove email', `${ANA}.${EMAIL}.${signature}`, [EMAIL])).toBe(undefined);
  expect(readLink(KEYS, 'prove email', signature, [EMAIL])).toBe(undefined);
  expect(readLink(KEYS, 'undo email change', ANA)).toBe(undefined);
});

test('links that earlier versions have mailed still work', () => {
  const read = (purpose: Parameters<typeof readLink>[1], token: string, known: string[] = []) =>
    readLink(KEYS, purpose, token, known);
  expect(read('undo email change', `${ANA}.NGw8Cze0EyrsxpvuO6UTvg`)).toEqual([ANA]);
  expect(read('prove email', `${ANA}.4n0MvuB2bxQBiUlb6FuO5g`, [EMAIL])).toEqual([ANA]);
  expect(read('stop mail', `${ANA}.AbC_1.WPUf_mb1hgBnF9CUwZe_4A`)).toEqual([ANA, 'AbC_1']);
  expect(read('export', 'SNnaunqPF9xuQKOp1CgsdA', [BO])).toEqual([]);
  expect(read('appointment', 'NdEI_QpCe3IZM40D41NY9Q', [BO, EMAIL])).toEqual([]);
  const emails = [EMAIL, 'b@example.com'];
  expect(read('change client email', '8cWgR03_KTEWOn3G9vSe5w', [BO, ...emails])).toEqual([]);
});

test('all links of the key before work while that key is still set', () => {
  const changed = createTokenKeys(Buffer.from('the next secret of this server'), KEYS.signing);
  const mailed = signLink(KEYS, 'appointment', [], [BO, EMAIL]);
  expect(readLink(changed, 'appointment', mailed, [BO, EMAIL])).toEqual([]);
  expect(readLink(changed, 'stop mail', signLink(KEYS, 'stop mail', STOP))).toEqual(STOP);
  // New links carry the new key.
  const undo = signLink(changed, 'undo email change', [BO]);
  expect(readLink(KEYS, 'undo email change', undo)).toBe(undefined);
});
