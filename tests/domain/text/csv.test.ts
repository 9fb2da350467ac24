import { expect, test } from 'vitest';
import { type CsvTable, toCsv, toPhoneCell } from '#domain/text/csv.ts';

test('a table begins with a byte order mark and its titles, and each line ends with CRLF', () => {
  const table: CsvTable<string> = { Name: (name) => name, Count: (name) => name.indexOf('b') };
  const csv = toCsv({ ...table, None: () => null }, ['Zoë', 'a "b", c\nd'], 'UTC');
  expect(csv).toBe('\uFEFFName,Count,None\r\nZoë,-1,\r\n"a ""b"", c\nd",3,\r\n');
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
  expect(toCsv({ A: (item: string) => item }, [cell], 'UTC')).toMatch(/^\uFEFFA\r\n"?'/);
});

test('a phone number is a link, so that no spreadsheet takes it for a formula or a number', () => {
  expect(toPhoneCell('+12125550100')).toBe('tel:+12125550100');
  expect(toPhoneCell(null)).toBeNull();
});
