/** Tables as CSV files that spreadsheets open. */
import Papa from 'papaparse';
import type { Zone } from '../time/zone_offsets.ts';

/** The start of a file, without which Excel does not recognize UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The start of a cell that a spreadsheet would run as a formula: anyone may have typed it. Papa Parse writes a
 * quote before it. Its own pattern misses cells with line breaks, and the wide signs of East Asian keyboards.
 */
const FORMULA_PATTERN = /^[=+\-@＝＋－＠\t\r\n]/;

/** The columns of a table by their titles, in order; each function makes the cell of an item. */
export type CsvTable<Item> = Readonly<
  Record<string, (item: Item, zone: Zone) => string | number | null>
>;

/** The items as CSV (RFC 4180), with the titles of the table. */
export function toCsv<Item>(table: CsvTable<Item>, items: readonly Item[], zone: Zone): string {
  return toCsvHead(table) + items.map((item) => toCsvRow(table, item, zone)).join('');
}

/** The line of titles, after a byte order mark. */
export function toCsvHead(table: CsvTable<never>): string {
  return BYTE_ORDER_MARK + toCsvLine(Object.keys(table));
}

/** The row of one item as CSV, with its line break. */
export function toCsvRow<Item>(table: CsvTable<Item>, item: Item, zone: Zone): string {
  return toCsvLine(Object.values(table).map((toCell) => toCell(item, zone) ?? ''));
}

/** The titles or cells of one line as CSV, with its line break. */
export function toCsvLine(cells: readonly (string | number)[]): string {
  return `${Papa.unparse([[...cells]], { escapeFormulae: FORMULA_PATTERN })}\r\n`;
}

/**
 * A phone number (E.164) as a cell: `tel:+12125550100` (RFC 3966). A spreadsheet would take the plus
 * for the start of a formula, and show a long number as 1.21E+10.
 */
export function toPhoneCell(phone: string | null): string | null {
  return phone && `tel:${phone}`;
}
