import { expect, test } from 'vitest';
import { formatBytes } from '#domain/text/format_bytes.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [1540, '1.5 KB'],
  [20_400_000, '20 MB'],
  [999_900, '1 MB'],
  [3_000_000_000, '3 GB'],
  [7_200_000_000_000, '7.2 TB'],
  [7_200_000_000_000_000, '7200 TB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
