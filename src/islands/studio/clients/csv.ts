import type { ClientRecord } from '#contract/client.ts';
import { CLIENT_TABLE } from '#contract/csv_rows.ts';
import { toCsv } from '#domain/csv.ts';
import { localDateAt } from '#domain/format_time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';

/** All clients as a table for spreadsheets; times in the studio's zone. */
export function clientsCsv(clients: readonly ClientRecord[], zone: StudioZone): string {
  const { titles, toRow } = CLIENT_TABLE;
  return toCsv(
    titles,
    clients.map((client) => toRow(client, zone)),
  );
}

/** `clients-YYYY-MM-DD.csv`, with today's date in the studio's zone. */
export function csvFileName(zone: StudioZone, now: number): string {
  return `clients-${localDateAt(zone, now)}.csv`;
}
