import { useStore } from '@nanostores/react';
import { useEffect, useRef } from 'react';
import type { Appointment } from '#contract/appointment.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import {
  BODY_LOCATION_LABELS,
  PREFERRED_CONTACT_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/choice_texts.ts';
import { formatDayWithYear, formatTimeRange } from '#domain/show_time.ts';
import { $opened } from '#stores/studio/opened.ts';
import { Picture } from '../../pictures/Picture.tsx';
import { CopyButton } from '../CopyButton.tsx';
import { MailTrail } from '../mails/MailTrail.tsx';
import { Actions } from './Actions.tsx';
import { StatusMark } from './StatusMark.tsx';
import { clientName, clientsPage, mailTo } from './words.ts';

interface DetailProps {
  me: CurrentArtist;
  appointment: Appointment;
}

/** All that is known of an appointment, and what can be done with it. */
export function Detail({ me, appointment }: DetailProps) {
  const { id, status, client, note, customer_notes } = appointment;
  const heading = useRef<HTMLHeadingElement>(null);
  // Who opened another reads on from here.
  useEffect(() => heading.current?.focus(), [id]);
  const opened = useStore($opened);
  useEffect(() => {
    // What was pressed, also for a dialog, may be gone with what it did.
    const isLost = document.activeElement === document.body;
    if (opened === null && isLost) heading.current?.focus();
  }, [opened, status]);
  return (
    <article aria-labelledby="appointment" className="grid gap-6">
      <div>
        <h2
          id="appointment"
          ref={heading}
          tabIndex={-1}
          className="text-2xl wrap-anywhere outline-none focus-visible:shadow-none"
        >
          {clientName(client)}
        </h2>
        <p className="mt-2">
          <StatusMark status={status} />
        </p>
      </div>
      <Actions me={me} appointment={appointment} />
      <Times me={me} appointment={appointment} />
      <Tattoo appointment={appointment} />
      {customer_notes && <Text name="What they wrote">{customer_notes}</Text>}
      {note && <Text name="Your note to them">{note}</Text>}
      <Contact client={client} />
      <MailTrail appointment={appointment} zone={me.studio.time_zone} />
      <Share me={me} id={id} />
    </article>
  );
}

function Times({ me, appointment }: DetailProps) {
  const { start, end, created_at } = appointment;
  const zone = me.studio.time_zone;
  return (
    <Facts>
      <Fact name="When">
        {start !== null && end !== null ? (
          <>
            <p className="font-semibold">{formatDayWithYear(start, zone)}</p>
            <p>{formatTimeRange(start, end, zone)}</p>
            <p className="text-sm text-muted">{zone}</p>
          </>
        ) : (
          'No time yet'
        )}
      </Fact>
      <Fact name="Came in">{formatDayWithYear(created_at, zone)}</Fact>
    </Facts>
  );
}

function Tattoo({
  appointment: { service, design, location, size },
}: Pick<DetailProps, 'appointment'>) {
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
          </figcaption>
        </figure>
      )}
      <Facts>
        {service && (
          <Fact name="Service">
            {service.name}, {service.duration} minutes
          </Fact>
        )}
        {location !== null && (
          <Fact name="Where on the body">{BODY_LOCATION_LABELS[location]}</Fact>
        )}
        {size !== null && <Fact name="Size">{TATTOO_SIZE_LABELS[size]}</Fact>}
      </Facts>
    </div>
  );
}

const LINK = 'link inline-flex min-h-11 items-center wrap-anywhere';

function Contact({ client }: { client: Appointment['client'] }) {
  const { pronouns, email, phone_number, preferred_contact } = client;
  return (
    <Facts>
      {email !== null && (
        <Fact name="Email">
          <a className={LINK} href={mailTo(email)}>
            {email}
          </a>
        </Fact>
      )}
      {phone_number !== null && (
        <Fact name="Phone">
          <a className={LINK} href={`tel:${phone_number}`}>
            {phone_number}
          </a>
        </Fact>
      )}
      {preferred_contact !== null && (
        <Fact name="Best reached by">{PREFERRED_CONTACT_LABELS[preferred_contact]}</Fact>
      )}
      {pronouns !== null && <Fact name="Pronouns">{pronouns}</Fact>}
    </Facts>
  );
}

function Share({ me, id }: { me: CurrentArtist; id: string }) {
  return (
    <div className="grid justify-items-start gap-2 border-t border-line pt-5">
      <p className="text-muted">
        Their own page of this appointment shows how it stands, and lets them confirm an offer. Only
        send it to them: whoever has the link can confirm.
      </p>
      <CopyButton text={clientsPage(me, id)} label="Copy their link" />
    </div>
  );
}

function Text({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <p className="text-sm font-semibold text-muted">{name}</p>
      <p className="mt-0.5 whitespace-pre-line wrap-anywhere">{children}</p>
    </div>
  );
}

function Facts({ children }: { children: React.ReactNode }) {
  return <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">{children}</dl>;
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      <dd className="mt-0.5 wrap-anywhere">{children}</dd>
    </div>
  );
}
