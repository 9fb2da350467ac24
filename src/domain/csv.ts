import Papa from 'papaparse';

/** Without it Excel does not recognize UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/**
 * People could enter cells that a spreadsheet runs as a formula; Papa Parse escapes these with a
 * quote. Its own pattern misses cells with line breaks, and the wide signs of East Asian keyboards.
 */
const FORMULA_PATTERN = /^[=+\-@＝＋－＠\t\r\n]/;

/** One line of a table, by the titles of its columns. */
export type CsvRow = Readonly<Record<string, string | number | null>>;

/** A table as CSV (RFC 4180): the titles, then the rows; all rows have the same titles. */
export function toCsv(titles: readonly string[], rows: readonly CsvRow[]): string {
  return `${BYTE_ORDER_MARK}${toCsvLine(titles)}${rows.map((row) => toCsvRow(titles, row)).join('')}`;
}

/** One row of a table as CSV, with its line break. */
export function toCsvRow(titles: readonly string[], row: CsvRow): string {
  return toCsvLine(titles.map((title) => row[title] ?? ''));
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
