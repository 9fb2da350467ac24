/** The CSV tables of clients, appointments, payments and messages; times in the studio's zone. */
import {
  BODY_LOCATION_LABELS,
  PREFERRED_CONTACT_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/appointments/appointment_labels.ts';
import { toDecimal } from '#domain/money/decimal_amount.ts';
import type { Money } from '#domain/money/money.ts';
import { sumByCurrency } from '#domain/money/payment.ts';
import type { Price } from '#domain/money/price.ts';
import { type CsvTable, toPhoneCell } from '#domain/text/csv.ts';
import { localDateAt, toExclusiveEnd, wallTimeAt } from '#domain/time/format_time.ts';
import type { Instant } from '#domain/time/time.ts';
import type { Zone } from '#domain/time/zone_offsets.ts';
import type { Appointment } from './appointment.ts';
import type { ClientRecord } from './client.ts';
import type { ReceivedMessage } from './contact.ts';
import type { ListedPayment } from './payment.ts';

export const CLIENT_TABLE: CsvTable<ClientRecord> = {
  ...personColumns((client: ClientRecord) => client),
  Appointments: (client) => client.appointment_count,
  'Last appointment': (client, zone) => formatDateTime(client.last_appointment, zone),
  'Next appointment': (client, zone) => formatDateTime(client.next_appointment, zone),
  'Client since': (client, zone) => localDateAt(zone, client.created_at),
  Notes: (client) => client.notes,
  Erased: (client, zone) => formatDateTime(client.erased_at, zone),
  Id: (client) => client.id,
};

export const APPOINTMENT_TABLE: CsvTable<Appointment> = {
  Start: ({ start }, zone) => formatDateTime(start, zone),
  End: ({ end }, zone) => formatDateTime(end && toExclusiveEnd(end), zone),
  Status: ({ status }) => status,
  ...personColumns(({ client }: Appointment) => client),
  Service: ({ service }) => service?.name ?? null,
  Design: ({ design }) => design?.name ?? null,
  Location: ({ location }) => location && BODY_LOCATION_LABELS[location],
  Size: ({ size }) => size && TATTOO_SIZE_LABELS[size],
  'Notes of the client': (appointment) => appointment.customer_notes,
  'Your note': ({ note }) => note,
  'Private notes': (appointment) => appointment.private_notes,
  Price: ({ price }) => price && formatPriceCell(price),
  Received: ({ payments }) => sumByCurrency(payments).map(formatMoneyCell).join('; '),
  Created: (appointment, zone) => formatDateTime(appointment.created_at, zone),
  Id: ({ id }) => id,
  'Client id': ({ client }) => client.id,
};

export const PAYMENT_TABLE: CsvTable<ListedPayment> = {
  Date: (payment) => payment.received_on,
  Amount: (payment) => toDecimal(payment),
  Currency: ({ currency }) => currency,
  Method: ({ method }) => method,
  'First name': ({ client }) => client.first_name,
  'Last name': ({ client }) => client.last_name,
  Appointment: ({ start }, zone) => formatDateTime(start, zone),
  'Appointment id': (payment) => payment.appointment_id,
};

export const MESSAGE_TABLE: CsvTable<ReceivedMessage> = {
  Received: (received, zone) => formatDateTime(received.created_at, zone),
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Message: ({ message }) => message,
  Read: (received, zone) => formatDateTime(received.read_at, zone),
};

function personColumns<Item>(clientOf: (item: Item) => Appointment['client']) {
  return {
    'First name': (item) => clientOf(item).first_name,
    'Last name': (item) => clientOf(item).last_name,
    Pronouns: (item) => clientOf(item).pronouns,
    Email: (item) => clientOf(item).email,
    'Phone number': (item) => toPhoneCell(clientOf(item).phone_number),
    'Preferred contact': (item) => {
      const { preferred_contact: contact } = clientOf(item);
      return contact && PREFERRED_CONTACT_LABELS[contact];
    },
  } satisfies CsvTable<Item>;
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
