import { expect, test } from 'vitest';
import { designNameFromFile } from '#domain/design_name.ts';

test.each([
  ['swallow_02.jpg', 'Swallow 02'],
  ['Panther-head.final.PNG', 'Panther head final'],
  ['  dagger + rose .webp', 'Dagger rose'],
  ['éclair.avif', 'Éclair'],
  ['memento mori', 'Memento mori'],
  ['Mr. Ink.jpeg', 'Mr Ink'],
])('a design from the file %s is named %s', (file, name) => {
  expect(designNameFromFile(file)).toBe(name);
});

test.each([
  'IMG_2041.JPG',
  'IMG_2041 (1).jpeg',
  'image.jpg',
  'DSC00042.jpg',
  'PXL_20261121_101112345.jpg',
  'WhatsApp Image 2026-11-21 at 10.11.12.jpeg',
  'Screenshot 2026-11-21 at 10.11.12 AM.png',
  '6f9619ff-8b86-d011-b42d-00cf4fc964ff.png',
  '.png',
  '',
])('a design from %s, a name given by a camera or chat program, is named New design', (file) => {
  expect(designNameFromFile(file)).toBe('New design');
});

test('a name is never longer than the API accepts', () => {
  expect(designNameFromFile(`${'ink '.repeat(60)}.jpg`).length).toBeLessThanOrEqual(120);
});
