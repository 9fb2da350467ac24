import Papa from 'papaparse';
import type { ClientRecord } from '#contract/client.ts';
import { PREFERRED_CONTACT_LABELS } from '#domain/appointment_labels.ts';
import { localDateAt, wallTimeAt } from '#domain/format_time.ts';

/** Without it Excel does not recognize UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
/**
 * Clients could enter cells that a spreadsheet runs as a formula; Papa Parse escapes these. Phone
 * numbers (`+` and digits) are harmless. Papa Parse's own pattern misses cells with line breaks.
 */
const FORMULA_PATTERN = /^(?:[=\-@\t\r\n]|\+(?!\d+$))/;

/** All clients as a table for spreadsheets; times in the studio's zone. */
export function toCsv(clients: readonly ClientRecord[], zone: string): string {
  const rows = clients.map((client) => ({
    'First name': client.first_name,
    'Last name': client.last_name,
    Pronouns: client.pronouns,
    Email: client.email,
    'Phone number': client.phone_number,
    'Preferred contact':
      client.preferred_contact && PREFERRED_CONTACT_LABELS[client.preferred_contact],
    Appointments: client.appointment_count,
    'Last appointment': formatDateTime(client.last_appointment, zone),
    'Next appointment': formatDateTime(client.next_appointment, zone),
    'Client since': localDateAt(zone, client.created_at),
    Notes: client.notes,
  }));
  return BYTE_ORDER_MARK + Papa.unparse(rows, { escapeFormulae: FORMULA_PATTERN, newline: '\r\n' });
}

/** `clients-YYYY-MM-DD.csv`, with today's date in the studio's zone. */
export function csvFileName(zone: string, now: number): string {
  return `clients-${localDateAt(zone, now)}.csv`;
}

/** `YYYY-MM-DD HH:MM`, which spreadsheets recognize as a time. */
function formatDateTime(when: string | null, zone: string): string {
  if (when === null) return '';
  return `${localDateAt(zone, when)} ${wallTimeAt(zone, when)}`;
}
