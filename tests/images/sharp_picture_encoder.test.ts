import { expect, test } from 'vitest';
import { DamagedPicture } from '#server/images/picture_encoder.ts';
import { createSharpPictureEncoder } from '#server/images/sharp_picture_encoder.ts';

test('two pictures are encoded at once, 100 wait, and further ones are refused as busy', async () => {
  const encoder = createSharpPictureEncoder();
  const encode = () => encoder.encode('/missing.png', [320]).catch((error: unknown) => error);
  const errors = await Promise.all(Array.from({ length: 110 }, encode));
  expect(errors.slice(102)).toEqual(Array(8).fill(expect.objectContaining({ reason: 'busy' })));
  // The file of the others is missing, which shows that they had their turn.
  for (const error of errors.slice(0, 102)) expect(error).toBeInstanceOf(DamagedPicture);
  expect(await encode()).toBeInstanceOf(DamagedPicture);
});
