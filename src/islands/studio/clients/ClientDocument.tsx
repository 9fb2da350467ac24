import { Fragment } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Appointment } from '#contract/appointment.ts';
import type { ClientExport, ExportedEvent } from '#contract/export.ts';
import type { OutgoingMail } from '#contract/mail.ts';
import type { AppointmentStatus } from '#domain/appointments/appointment.ts';
import { formatHistoryEvent } from '#domain/appointments/appointment_history.ts';
import {
  BODY_LOCATION_LABELS,
  PREFERRED_CONTACT_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/appointments/appointment_labels.ts';
import { formatMoney } from '#domain/money/money.ts';
import { formatPrice } from '#domain/money/price.ts';
import { formatShortDateAndTime, formatShortDay } from '#domain/time/format_time.ts';
import { formatTimeWithZone } from '#domain/time/format_time_with_zone.ts';
import type { Instant } from '#domain/time/time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { formatAppointmentTime } from '#stores/studio/booked_appointments.ts';
import type { Elements } from '../../elements.ts';
import { appointmentClientName, clientName, formatSubject } from '../appointments/labels.ts';
import { formatPayment } from '../appointments/payment_labels.ts';
import { STATUSES } from '../appointments/StatusBadge.tsx';
import { formatMailTitle } from '../mails/labels.ts';

const MAIL_STATUS_LABELS: Record<OutgoingMail['status'], string> = {
  queued: 'waits to be sent',
  sent: 'sent',
  saved: 'saved, not sent',
  failed: 'not delivered',
  dropped: 'not sent',
};

/** The statuses whose labels in the studio fit only the artist, in words for both sides. */
const STATUS_LABELS: Partial<Record<AppointmentStatus, string>> = {
  requested: 'Requested',
  held: 'Time picked, not confirmed',
  offered: 'Time offered, not confirmed',
};

const HEAD = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  dl { display: grid; grid-template-columns: fit-content(8rem) 1fr; gap: 0.25rem 1rem; }
  dt { color: #555; } dd { margin: 0; white-space: pre-line; overflow-wrap: anywhere; }
  section { border-top: 1px solid #ccc; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
</style>`;

interface DocumentProps {
  data: ClientExport;
  artist: string;
  /** The studio's: all times are written in it. */
  zone: StudioZone;
  now: Instant;
}

/**
 * Renders all data of a client as an HTML page, for a client who asks for a copy.
 * @throws whatever its rendering throws
 */
export function renderClientDocument(props: DocumentProps): string {
  const page = document.implementation.createHTMLDocument(
    `Data about ${clientName(props.data.client)}`,
  );
  page.documentElement.lang = 'en';
  const errors: unknown[] = [];
  const root = createRoot(page.body, { onUncaughtError: (error) => errors.push(error) });
  flushSync(() => root.render(<ClientData {...props} />));
  // React does not throw the errors of a rendering, and would leave the page empty.
  if (errors.length > 0) throw errors[0];
  // `HEAD` is added as text: in `page`, the content security policy of the studio would block its style.
  return `<!doctype html>\n${page.documentElement.outerHTML.replace('<head>', `<head>${HEAD}`)}\n`;
}

/** All data of a client for a person to read, and the same as JSON at the end. */
function ClientData({ data, artist, zone, now }: DocumentProps) {
  const { client, appointments, history, messages, mails } = data;
  const name = clientName(client);
  const at = (when: string) => formatShortDateAndTime(when, zone);
  const describeEvent = (event: ExportedEvent) =>
    `${at(event.at)}: ${formatHistoryEvent(event, { artist, client: name }, zone)}${event.note === null ? '' : `: “${event.note}”`}`;
  return (
    <>
      <h1>{name}</h1>
      <p>
        {`All that ${artist} keeps about ${name}, made on ${formatTimeWithZone(now, zone)}. All times are in this zone.`}
      </p>
      <Part title="Details">
        <Terms
          terms={[
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
          ]}
        />
      </Part>
      <Part title="Appointments and requests" isEmpty={appointments.length === 0}>
        {appointments.map((appointment) => (
          <Fragment key={appointment.id}>
            <h3>{formatSubject(appointment)}</h3>
            <Terms
              terms={[
                ['When', formatAppointmentTime(appointment, zone)],
                ...appointmentTerms(appointment, artist),
                ['Came in', at(appointment.created_at)],
                [
                  'History',
                  history
                    .filter((one) => one.appointment_id === appointment.id)
                    .map(describeEvent)
                    .join('\n'),
                ],
              ]}
            />
          </Fragment>
        ))}
      </Part>
      <Part title="Messages" isEmpty={messages.length === 0}>
        <Terms
          terms={messages.map(({ created_at, name, email, message }) => [
            at(created_at),
            `${name}, ${email}\n${message}`,
          ])}
        />
      </Part>
      <Part title="Mails" isEmpty={mails.length === 0}>
        <Terms
          terms={mails.map((mail) => [
            at(mail.settled_at ?? mail.created_at),
            `${formatMailTitle(mail, name)}\n${mail.address}, ${MAIL_STATUS_LABELS[mail.status]}`,
          ])}
        />
      </Part>
      <Part title="The same as JSON, for programs">
        <details>
          <summary>Show it</summary>
          <pre>{JSON.stringify(data, null, 2)}</pre>
        </details>
      </Part>
    </>
  );
}

function appointmentTerms(appointment: Appointment, artist: string): readonly Term[] {
  const { status, client, service, location, size, price, deposit } = appointment;
  return [
    ['State', STATUS_LABELS[status] ?? STATUSES[status].label],
    ['Service', service && `${service.name}, ${service.duration} minutes`],
    ['Where on the body', location && BODY_LOCATION_LABELS[location]],
    ['Size', size && TATTOO_SIZE_LABELS[size]],
    [
      'Name and contact then',
      [appointmentClientName(client), client.pronouns, client.email, client.phone_number]
        .filter(Boolean)
        .join('\n'),
    ],
    [`Note to ${artist}`, appointment.customer_notes],
    [`Note of ${artist}`, appointment.note],
    [`Private notes of ${artist}`, appointment.private_notes],
    ['Price', price && formatPrice(price, 'en-US')],
    ['Deposit', deposit && formatMoney(deposit, 'en-US')],
    ['Policy', appointment.booking_policy],
    ['Received', appointment.payments.map(formatPayment).join('\n')],
  ];
}

interface PartProps {
  title: string;
  isEmpty?: boolean;
  children: Elements;
}

function Part({ title, isEmpty = false, children }: PartProps) {
  return (
    <section>
      <h2>{title}</h2>
      {isEmpty ? <p>None.</p> : children}
    </section>
  );
}

type Term = readonly [name: string, text: string | null];

function Terms({ terms }: { terms: readonly Term[] }) {
  return (
    <dl>
      {terms
        .filter(([, text]) => text)
        .map(([name, text], index) => (
          <Fragment key={index}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
