import { expect, test } from 'vitest';
import { designNameFromFile } from '#domain/studio/design_name.ts';

test.each([
  ['swallow_02.jpg', 'Swallow 02'],
  ['Panther-head.final.PNG', 'Panther head final'],
  ['  dagger + rose .webp', 'Dagger rose'],
  ['éclair.avif', 'Éclair'],
  ['memento mori', 'Memento mori'],
  ['Mr. Ink.jpeg', 'Mr Ink'],
  [`${'ink '.repeat(60)}.jpg`, `Ink${' ink'.repeat(19)}`],
])('a design from the file %s is named %s', (file, name) => {
  expect(designNameFromFile(file)).toBe(name);
});

test.each([
  'IMG_2041 (1).jpeg',
  'image0.jpg',
  'DSC00042.jpg',
  'PXL_20261121_101112345.jpg',
  'WhatsApp Image 2026-11-21 at 10.11.12.jpeg',
  'signal-2026-11-21-101112.jpeg',
  'received_1234567890.jpeg',
  'Screenshot_20261129-101010_Instagram.jpg',
  'Bildschirmfoto 2026-11-21 um 10.11.12.png',
  'Untitled_Artwork 3.jpg',
  'FullSizeRender download.heic',
  'Foto Bild Grafik ohne Titel.png',
  '6f9619ff-8b86-d011-b42d-00cf4fc964ff.png',
  '',
])('a design from %s, a name given by a camera or a program, is named New design', (file) => {
  expect(designNameFromFile(file)).toBe('New design');
});
