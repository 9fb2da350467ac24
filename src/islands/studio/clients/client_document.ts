import type { Appointment } from '#contract/appointment.ts';
import type { ClientExport, ExportedEvent } from '#contract/export.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import type { AppointmentStatus } from '#domain/appointment.ts';
import { formatHistoryEvent } from '#domain/appointment_history.ts';
import {
  BODY_LOCATION_LABELS,
  PREFERRED_CONTACT_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/appointment_labels.ts';
import { formatShortDateAndTime, formatShortDay } from '#domain/format_time.ts';
import { formatTimeWithZone } from '#domain/format_time_with_zone.ts';
import { formatMoney } from '#domain/money.ts';
import { formatPrice } from '#domain/price.ts';
import type { Instant } from '#domain/time.ts';
import type { StudioZone } from '#domain/zone_offsets.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import { appointmentClientName, clientName, formatSubject } from '../appointments/labels.ts';
import { formatPayment } from '../appointments/payment_labels.ts';
import { formatMailTitle } from '../mails/labels.ts';

const MAIL_STATUS_LABELS: Record<OutgoingMail['status'], string> = {
  queued: 'waits to be sent',
  sent: 'sent',
  saved: 'saved, not sent',
  failed: 'not delivered',
  dropped: 'not sent',
};

/** In words for both sides. */
const STATUS_LABELS: Record<AppointmentStatus, string> = {
  requested: 'Requested',
  held: 'Time picked, not confirmed',
  offered: 'Time offered, not confirmed',
  confirmed: 'Confirmed',
  declined: 'Declined',
  expired: 'Not confirmed in time',
  cancelled: 'Cancelled',
  completed: 'Completed',
  no_show: 'Did not come',
};

const STYLE = `
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  dl { display: grid; grid-template-columns: fit-content(8rem) 1fr; gap: 0.25rem 1rem; }
  dt { color: #555; } dd { margin: 0; white-space: pre-line; overflow-wrap: anywhere; }
  section { border-top: 1px solid #ccc; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
`;

type Term = readonly [name: string, text: string | null];

interface DocumentOptions {
  readonly artist: string;
  /** The studio's, for all times. */
  readonly zone: StudioZone;
  readonly now: Instant;
}

/**
 * All data of a client as an HTML page that a person can read, for a client who asks for a copy. The same
 * data as JSON are at its end.
 */
export function clientDocument(data: ClientExport, { artist, zone, now }: DocumentOptions): string {
  const { client, appointments, history, messages, mails } = data;
  const name = clientName(client);
  const page = document.implementation.createHTMLDocument(`Data about ${name}`);
  page.documentElement.lang = 'en';
  const add = (parent: Element, tag: string, text: string | null = null): HTMLElement => {
    const element = page.createElement(tag);
    element.textContent = text;
    parent.append(element);
    return element;
  };
  const addTerms = (parent: Element, terms: readonly Term[]) => {
    const list = add(parent, 'dl');
    for (const [term, text] of terms) {
      if (text === null || text === '') continue;
      add(list, 'dt', term);
      add(list, 'dd', text);
    }
  };
  const addSection = (title: string): HTMLElement => {
    const section = add(page.body, 'section');
    add(section, 'h2', title);
    return section;
  };
  const at = (when: string) => formatShortDateAndTime(when, zone);

  const charset = page.createElement('meta');
  charset.setAttribute('charset', 'utf-8');
  page.head.prepend(charset);
  const viewport = add(page.head, 'meta');
  viewport.setAttribute('name', 'viewport');
  viewport.setAttribute('content', 'width=device-width');

  add(page.body, 'h1', name);
  add(
    page.body,
    'p',
    `All that ${artist} keeps about ${name}, made on ${formatTimeWithZone(now, zone)}. All times are in this zone.`,
  );
  addTerms(addSection('Details'), [
    ['Name', [client.first_name, client.last_name].filter(Boolean).join(' ')],
    ['Pronouns', client.pronouns],
    ['Email', [client.email, ...client.other_emails].filter(Boolean).join('\n')],
    ['Phone number', client.phone_number],
    [
      'Preferred contact',
      client.preferred_contact && PREFERRED_CONTACT_LABELS[client.preferred_contact],
    ],
    [`Notes of ${artist}`, client.notes],
    ['Since', formatShortDay(client.created_at, zone)],
    ...client.data_requests.map(
      ({ kind, asked_at, done_at }): Term => [
        kind === 'copy' ? 'Asked for a copy' : 'Asked for erasure',
        `${at(asked_at)}${done_at === null ? '' : `, answered ${at(done_at)}`}`,
      ],
    ),
  ]);

  const visits = addSection('Appointments and requests');
  if (appointments.length === 0) add(visits, 'p', 'None.');
  for (const appointment of appointments) {
    add(visits, 'h3', formatSubject(appointment));
    const events = history.filter((one) => one.appointment_id === appointment.id);
    addTerms(visits, appointmentTerms(appointment, events));
  }

  const written = addSection('Messages');
  if (messages.length === 0) add(written, 'p', 'None.');
  addTerms(
    written,
    messages.map((one): Term => [at(one.created_at), `${one.name}, ${one.email}\n${one.message}`]),
  );

  const sent = addSection('Mails');
  if (mails.length === 0) add(sent, 'p', 'None.');
  addTerms(
    sent,
    mails.map(
      (mail): Term => [
        at(mail.settled_at ?? mail.created_at),
        `${formatMailTitle(mail, name)}\n${mail.address}, ${MAIL_STATUS_LABELS[mail.status]}`,
      ],
    ),
  );

  const machines = addSection('The same as JSON, for programs');
  const folded = add(machines, 'details');
  add(folded, 'summary', 'Show it');
  add(folded, 'pre', JSON.stringify(data, null, 2));
  // As text: the content security policy of the studio holds for `page` too, and would block a style in it.
  const html = page.documentElement.outerHTML.replace('</head>', `<style>${STYLE}</style></head>`);
  return `<!doctype html>\n${html}\n`;

  function appointmentTerms(
    appointment: Appointment,
    events: readonly ExportedEvent[],
  ): readonly Term[] {
    const { status, location, size, customer_notes, note, service, created_at } = appointment;
    const { price, deposit } = appointment;
    const typed = appointment.client;
    return [
      ['When', formatAppointmentTime(appointment, zone)],
      ['State', STATUS_LABELS[status]],
      ['Service', service && `${service.name}, ${service.duration} minutes`],
      ['Where on the body', location && BODY_LOCATION_LABELS[location]],
      ['Size', size && TATTOO_SIZE_LABELS[size]],
      [
        'Name and contact then',
        [appointmentClientName(typed), typed.pronouns, typed.email, typed.phone_number]
          .filter(Boolean)
          .join('\n'),
      ],
      [`Note to ${artist}`, customer_notes],
      [`Note of ${artist}`, note],
      [`Private notes of ${artist}`, appointment.private_notes],
      ['Price', price && formatPrice(price, 'en-US')],
      ['Deposit', deposit && formatMoney(deposit, 'en-US')],
      ['Policy', appointment.booking_policy],
      ['Received', appointment.payments.map(formatPayment).join('\n')],
      ['Came in', at(created_at)],
      ['History', events.map(describe).join('\n')],
    ];
  }

  function describe(event: ExportedEvent): string {
    const what = formatHistoryEvent(event, { artist, client: name }, zone);
    return `${at(event.at)}: ${what}${event.note === null ? '' : `: “${event.note}”`}`;
  }
}
