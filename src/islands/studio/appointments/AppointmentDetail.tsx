import { useStore } from '@nanostores/react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import { isUndecided } from '#domain/appointments/appointment.ts';
import {
  BODY_LOCATION_LABELS,
  PREFERRED_CONTACT_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/appointments/appointment_labels.ts';
import { mailtoHref } from '#domain/mail/email.ts';
import { formatMoney } from '#domain/money/money.ts';
import { formatPrice } from '#domain/money/price.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { formatTimeLeft } from '#domain/time/duration.ts';
import {
  formatDayWithYear,
  formatShortDayAndTime,
  formatTimeRange,
} from '#domain/time/format_time.ts';
import { offsetMinutesAt, type StudioZone, zoneOf } from '#domain/time/zone_offsets.ts';
import { $dialog } from '#stores/studio/dialog.ts';
import { $now } from '#stores/studio/now.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { DescriptionItem } from '../../DescriptionItem.tsx';
import { Picture } from '../../pictures/Picture.tsx';
import { BlockButtons } from '../abuse/BlockButtons.tsx';
import { TextLink } from '../buttons.tsx';
import { CopyButton } from '../CopyButton.tsx';
import { MailHistory } from '../mails/MailHistory.tsx';
import { AppointmentActions } from './AppointmentActions.tsx';
import { AppointmentHistory, EndedOffer } from './AppointmentHistory.tsx';
import type { AppointmentProps } from './appointment_props.ts';
import { appointmentClientName, confirmationUrl } from './labels.ts';
import { ProjectSessions, Rivals } from './OtherAppointments.tsx';
import { Received } from './Received.tsx';
import { StatusBadge } from './StatusBadge.tsx';

/** Everything known about an appointment, and the actions that it allows. */
export function AppointmentDetail({ me, appointment }: AppointmentProps) {
  const { id, status, start, end, client, created_at, project_id } = appointment;
  const zone = zoneOf(me.studio, appointment);
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus moves to an appointment that has just been opened.
  useEffect(() => heading.current?.focus(), [id]);
  const dialog = useStore($dialog);
  useEffect(() => {
    // An action may remove the button that had the focus; the browser then focuses the body.
    if (dialog === null && document.activeElement === document.body) heading.current?.focus();
  }, [dialog, status]);
  return (
    <article aria-labelledby="appointment" className="grid gap-6">
      <div>
        <h2 id="appointment" ref={heading} tabIndex={-1} className="text-2xl wrap-anywhere">
          {appointmentClientName(client)}
        </h2>
        <p className="mt-2">
          <StatusBadge status={status} />
        </p>
        {appointment.lapses_at !== null && (
          <ReservedUntil until={appointment.lapses_at} zone={zone} />
        )}
        {appointment.ended_offer && (
          <p className="mt-2 grid gap-1 wrap-anywhere">
            <EndedOffer appointment={appointment} zone={zone} />
          </p>
        )}
      </div>
      {isUndecided(status) && <Rivals appointment={appointment} zone={me.studio} />}
      <AppointmentActions me={me} appointment={appointment} />
      <DescriptionList
        items={{
          When:
            start !== null && end !== null ? (
              <>
                <p className="font-semibold">{formatDayWithYear(start, zone)}</p>
                <p>{formatTimeRange(start, end, zone)}</p>
                <p className="text-sm text-muted">{formatZone(me.studio, zone, start)}</p>
              </>
            ) : (
              'No time yet'
            ),
          'Came in': formatDayWithYear(created_at, zone),
        }}
      />
      <TattooDetails appointment={appointment} />
      <TextBlock name="What they wrote" text={appointment.customer_notes} />
      <TextBlock name="Your note to them" text={appointment.note} />
      <TextBlock name="Private notes, only for you" text={appointment.private_notes} />
      <AgreedTerms appointment={appointment} />
      <Received me={me} appointment={appointment} />
      {project_id !== null && <ProjectSessions openId={id} zone={me.studio} />}
      <ContactDetails appointment={appointment} />
      <BlockButtons appointment={appointment} />
      <AppointmentHistory appointment={appointment} zone={me.studio} />
      <MailHistory appointment={appointment} zone={me.studio} />
      <div className="grid justify-items-start gap-2 border-t border-line pt-5">
        <p className="text-muted">
          Their own page of this appointment shows how it stands, and lets them confirm an offer.
          Only send it to them: anyone with the link can confirm.
        </p>
        <CopyButton text={confirmationUrl(me, id)} label="Copy their link" />
      </div>
    </article>
  );
}

/** Describes the studio's zone, unless the studio has moved to another one since the appointment. */
function formatZone(studio: StudioZone, appointmentZone: StudioZone, start: string): string {
  const offset = offsetMinutesAt(studio, Date.parse(start));
  const isSame = offset === null || offset === offsetMinutesAt(appointmentZone, Date.parse(start));
  return isSame ? describeTimeZone(studio.time_zone) : 'In the time zone that your studio had then';
}

/** How long the time is reserved for the client, who has not confirmed it yet. */
function ReservedUntil({ until, zone }: { until: string; zone: StudioZone }) {
  const now = useStore($now);
  return (
    <p className="mt-2">
      <span>{`Kept for them until ${formatShortDayAndTime(until, zone)}`}</span>
      <span>{` (${formatTimeLeft(Date.parse(until) - now)} left)`}</span>
    </p>
  );
}

function TattooDetails({ appointment }: { appointment: Appointment }) {
  const { status, service, design, location, size } = appointment;
  if (!service && !design && location === null && size === null) return null;
  return (
    <div className="grid gap-4">
      {design && (
        <figure className="grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-4">
          <Picture
            image={design.image}
            sizes="6rem"
            fit="cover"
            className="aspect-square rounded-lg bg-flash"
          />
          <figcaption>
            <p className="text-sm font-semibold text-muted">Design</p>
            <p className="wrap-anywhere">{design.name}</p>
            {/* An appointment past a request has an edition already, and does not need one of those left. */}
            {status === 'requested' && design.left === 0 && (
              <p className="text-sm font-semibold text-danger">
                Taken as often as it may be tattooed
              </p>
            )}
          </figcaption>
        </figure>
      )}
      <DescriptionList
        items={{
          Service: service && `${service.name}, ${service.duration} minutes`,
          'Where on the body': location && BODY_LOCATION_LABELS[location],
          Size: size && TATTOO_SIZE_LABELS[size],
        }}
      />
    </div>
  );
}

function AgreedTerms({ appointment }: { appointment: Appointment }) {
  const { price, deposit, booking_policy, keeps_edition } = appointment;
  return (
    <>
      <DescriptionList
        items={{
          Price: price && formatPrice(price, visitorLocale()),
          Deposit: deposit && formatMoney(deposit, visitorLocale()),
          Design: keeps_edition && 'It stays taken: nobody else can book it',
        }}
      />
      <TextBlock name="Policy, as agreed" text={booking_policy} />
    </>
  );
}

function ContactDetails({ appointment }: { appointment: Appointment }) {
  const { id, pronouns, email, phone_number, preferred_contact } = appointment.client;
  return (
    <DescriptionList
      items={{
        Email: email && (
          <>
            <TextLink label={email} className="wrap-anywhere" href={mailtoHref(email)} />
            <p className="text-sm text-muted">
              {appointment.email_proven
                ? 'They have used a mailed link, or you entered this email.'
                : 'Email not proven: they have not used a mailed link.'}
            </p>
          </>
        ),
        Phone: phone_number && (
          <TextLink label={phone_number} className="wrap-anywhere" href={`tel:${phone_number}`} />
        ),
        'Best reached by': preferred_contact && PREFERRED_CONTACT_LABELS[preferred_contact],
        Pronouns: pronouns,
        'Notes and other appointments': (
          <TextLink label="Open the client’s page" href={`/studio/clients?id=${id}`} />
        ),
      }}
    />
  );
}

function TextBlock({ name, text }: { name: string; text: string | null }) {
  if (!text) return null;
  return (
    <div>
      <p className="text-sm font-semibold text-muted">{name}</p>
      <p className="mt-0.5 whitespace-pre-line wrap-anywhere">{text}</p>
    </div>
  );
}

/** Names and their values, without the names that have none; renders nothing if no name has a value. */
function DescriptionList({ items }: { items: Readonly<Record<string, ReactNode>> }) {
  if (!Object.values(items).some(Boolean)) return null;
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      {Object.entries(items).map(([name, value]) => (
        <DescriptionItem key={name} name={name}>
          {value}
        </DescriptionItem>
      ))}
    </dl>
  );
}
