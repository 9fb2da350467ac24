import { expect, test } from 'vitest';
import { createUploadSpace } from '#server/upload_space.ts';

const LIMITS = [
  { counted: 'ofAll', most: 100 },
  { counted: 'ofOwner', most: 60 },
  { counted: 'ofUnproven', most: 50 },
] as const;
const ANA = { id: 'ana', isEmailProven: true };
const BO = { id: 'bo', isEmailProven: true };
const FULL = expect.objectContaining({ reason: 'uploads_full' });

test('uploads of one artist, and of all, have a limit of bytes; the space of a finished upload is free again', () => {
  const space = createUploadSpace(LIMITS);
  const [first, second, other] = [space.open(ANA), space.open(ANA), space.open(BO)];
  first.add(40);
  second.add(20);
  expect(() => second.add(1)).toThrow(FULL);
  other.add(40);
  expect(() => other.add(1)).toThrow(FULL);
  first.release();
  first.release();
  other.add(20);
  second.add(20);
  expect(() => second.add(1)).toThrow(FULL);
});

test('artists whose email is not proven together take at most their part; others have the rest', () => {
  const space = createUploadSpace(LIMITS);
  const open = (id: string, isEmailProven: boolean) => space.open({ id, isEmailProven });
  const first = open('first', false);
  first.add(30);
  const second = open('second', false);
  second.add(20);
  expect(() => second.add(1)).toThrow(FULL);
  open('proven', true).add(50);
  first.release();
  expect(() => second.add(31)).toThrow(FULL);
  second.add(30);
});
