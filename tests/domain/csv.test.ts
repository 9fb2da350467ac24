import { expect, test } from 'vitest';
import { toCsv, toPhoneCell } from '#domain/csv.ts';

test('a table begins with a byte order mark and its titles, and each line ends with CRLF', () => {
  const rows = [
    { Name: 'Zoë', Count: 2 },
    { Name: 'a "b", c\nd', Count: null },
  ];
  expect(toCsv(['Name', 'Count'], rows)).toBe('\uFEFFName,Count\r\nZoë,2\r\n"a ""b"", c\nd",\r\n');
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\n=1',
  '=1\nand more',
  '＝1',
  '＋1',
  '－1',
  '＠x',
])('a cell that a spreadsheet could run as a formula begins with a quote: %j', (cell) => {
  expect(toCsv(['A'], [{ A: cell }])).toMatch(/^\uFEFFA\r\n"?'/);
});

test('a phone number is a link, so that no spreadsheet takes it for a formula or a number', () => {
  expect(toPhoneCell('+12125550100')).toBe('tel:+12125550100');
  expect(toPhoneCell(null)).toBeNull();
});
