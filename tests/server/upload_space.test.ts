import { expect, test } from 'vitest';
import { createUploadSpace } from '#server/upload_space.ts';

const FULL = expect.objectContaining({ reason: 'uploads_full' });

test('uploads of one artist, and of all, have a limit of bytes', () => {
  const space = createUploadSpace({ bytes: 100, bytesPerOwner: 60 });
  const [first, second] = [space.open('ana'), space.open('ana')];
  first.add(40);
  second.add(20);
  expect(() => second.add(1)).toThrow(FULL);
  const other = space.open('bo');
  other.add(40);
  expect(() => other.add(1)).toThrow(FULL);
});

test('the space of a finished upload is free again', () => {
  const space = createUploadSpace({ bytes: 100, bytesPerOwner: 60 });
  const first = space.open('ana');
  first.add(60);
  first.release();
  const second = space.open('ana');
  second.add(60);
  const other = space.open('bo');
  other.add(40);
  second.release();
  second.release();
  expect(() => other.add(61)).toThrow(FULL);
  other.add(20);
});
