/** What tables for spreadsheets show of people and appointments; times in the studio's zone. */
import {
  BODY_LOCATION_LABELS,
  PREFERRED_CONTACT_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/appointment_labels.ts';
import { type CsvRow, toCsv, toPhoneCell } from '#domain/csv.ts';
import { toDecimal } from '#domain/decimal_amount.ts';
import { localDateAt, toExclusiveEnd, wallTimeAt } from '#domain/format_time.ts';
import type { Money } from '#domain/money.ts';
import { sumByCurrency } from '#domain/payment.ts';
import type { Price } from '#domain/price.ts';
import type { Instant } from '#domain/time.ts';
import type { Zone } from '#domain/zone_offsets.ts';
import type { Appointment } from './appointment.ts';
import type { ClientRecord } from './client.ts';
import type { ReceivedMessage } from './contact.ts';
import type { ListedPayment } from './payment.ts';

/** One kind of table: the titles of its columns, and the row of one item. */
export interface CsvTable<Item> {
  readonly titles: readonly string[];
  readonly toRow: (item: Item, zone: Zone) => CsvRow;
}

/** Items as a table for spreadsheets. */
export function toCsvTable<Item>(
  { titles, toRow }: CsvTable<Item>,
  items: readonly Item[],
  zone: Zone,
): string {
  return toCsv(
    titles,
    items.map((item) => toRow(item, zone)),
  );
}

export const CLIENT_TABLE: CsvTable<ClientRecord> = {
  titles: [
    ...['First name', 'Last name', 'Pronouns', 'Email', 'Phone number', 'Preferred contact'],
    ...[
      'Appointments',
      'Last appointment',
      'Next appointment',
      'Client since',
      'Notes',
      'Erased',
      'Id',
    ],
  ],
  toRow: (client, zone) => ({
    ...toPersonRow(client),
    Appointments: client.appointment_count,
    'Last appointment': formatDateTime(client.last_appointment, zone),
    'Next appointment': formatDateTime(client.next_appointment, zone),
    'Client since': localDateAt(zone, client.created_at),
    Notes: client.notes,
    Erased: formatDateTime(client.erased_at, zone),
    Id: client.id,
  }),
};

export const APPOINTMENT_TABLE: CsvTable<Appointment> = {
  titles: [
    ...['Start', 'End', 'Status', 'First name', 'Last name', 'Pronouns', 'Email', 'Phone number'],
    ...['Preferred contact', 'Service', 'Design', 'Location', 'Size', 'Notes of the client'],
    ...['Your note', 'Private notes', 'Price', 'Received', 'Created', 'Id', 'Client id'],
  ],
  toRow: (appointment, zone) => ({
    Start: formatDateTime(appointment.start, zone),
    End: formatDateTime(appointment.end && toExclusiveEnd(appointment.end), zone),
    Status: appointment.status,
    ...toPersonRow(appointment.client),
    Service: appointment.service?.name ?? null,
    Design: appointment.design?.name ?? null,
    Location: appointment.location && BODY_LOCATION_LABELS[appointment.location],
    Size: appointment.size && TATTOO_SIZE_LABELS[appointment.size],
    'Notes of the client': appointment.customer_notes,
    'Your note': appointment.note,
    'Private notes': appointment.private_notes,
    Price: appointment.price && formatPriceCell(appointment.price),
    Received: sumByCurrency(appointment.payments).map(formatMoneyCell).join('; '),
    Created: formatDateTime(appointment.created_at, zone),
    Id: appointment.id,
    'Client id': appointment.client.id,
  }),
};

export const PAYMENT_TABLE: CsvTable<ListedPayment> = {
  titles: [
    ...['Date', 'Amount', 'Currency', 'Method', 'First name', 'Last name'],
    ...['Appointment', 'Appointment id'],
  ],
  toRow: (payment, zone) => ({
    Date: payment.received_on,
    Amount: toDecimal(payment),
    Currency: payment.currency,
    Method: payment.method,
    'First name': payment.client.first_name,
    'Last name': payment.client.last_name,
    Appointment: formatDateTime(payment.start, zone),
    'Appointment id': payment.appointment_id,
  }),
};

export const MESSAGE_TABLE: CsvTable<ReceivedMessage> = {
  titles: ['Received', 'Name', 'Email', 'Message', 'Read'],
  toRow: ({ created_at, name, email, message, read_at }, zone) => ({
    Received: formatDateTime(created_at, zone),
    Name: name,
    Email: email,
    Message: message,
    Read: formatDateTime(read_at, zone),
  }),
};

function toPersonRow(client: Appointment['client']): CsvRow {
  return {
    'First name': client.first_name,
    'Last name': client.last_name,
    Pronouns: client.pronouns,
    Email: client.email,
    'Phone number': toPhoneCell(client.phone_number),
    'Preferred contact':
      client.preferred_contact && PREFERRED_CONTACT_LABELS[client.preferred_contact],
  };
}

/** `150.00 USD`, `from 150.00 USD`, `150.00 to 200.00 USD` or `on request`. */
function formatPriceCell(price: Price): string {
  if (price.kind === 'ask') return 'on request';
  const { amount, currency } = price;
  if (price.kind === 'range')
    return `${toDecimal({ amount, currency })} to ${formatMoneyCell({ amount: price.amount_to, currency })}`;
  return `${price.kind === 'from' ? 'from ' : ''}${formatMoneyCell({ amount, currency })}`;
}

/** `150.00 USD` */
function formatMoneyCell(money: Money): string {
  return `${toDecimal(money)} ${money.currency}`;
}

/** `YYYY-MM-DD HH:MM`, which spreadsheets recognize as a time. */
function formatDateTime(when: string | Instant | null, zone: Zone): string {
  if (when === null) return '';
  return `${localDateAt(zone, when)} ${wallTimeAt(zone, when)}`;
}
