import type { Confirmation } from '#contract/appointment.ts';
import {
  BODY_LOCATION_LABELS,
  TATTOO_SIZE_LABELS,
} from '#domain/appointments/appointment_labels.ts';
import { formatAddressLines, studioMapUrl } from '#domain/appointments/calendar_event.ts';
import { DescriptionItem } from '../DescriptionItem.tsx';
import type { Elements } from '../elements.ts';
import { BookingTerms, PriceText } from '../PriceText.tsx';
import { Picture } from '../pictures/Picture.tsx';
import { Disclosure } from './Disclosure.tsx';

interface AppointmentCardProps {
  confirmation: Confirmation;
  isPaymentDue: boolean;
  /** The time of the appointment, as the card shows it. */
  children: Elements;
}

/** The appointment at a glance, with the artist's policy while the client can still confirm it. */
export function AppointmentCard({ confirmation, isPaymentDue, children }: AppointmentCardProps) {
  const { service, design, price, deposit, user, booking_policy: policy, can } = confirmation;
  const { studio } = user;
  const hasTime = confirmation.start !== null;
  const designName = <DescriptionItem name="Design">{design?.name}</DescriptionItem>;
  return (
    <div className="card p-5 sm:flex sm:gap-6">
      {design && (
        <Picture
          image={design.image}
          sizes="(min-width: 40rem) 10rem, 5rem"
          className="float-left mr-4 size-[min(5rem,21vw)] shrink-0 rounded-lg sm:mr-0 sm:h-auto sm:w-40 sm:self-start"
          fit="cover"
        />
      )}
      <div className="min-w-0 flex-1">
        {hasTime ? (
          children
        ) : (
          <dl className="mb-5 empty:hidden max-sm:min-h-[min(5rem,21vw)]">{designName}</dl>
        )}
        <div className="clear-left grid gap-5 sm:grid-cols-2">
          <dl className="facts grid content-start gap-5 empty:hidden">
            {service && (
              <DescriptionItem name="Appointment">
                <p>{service.name}</p>
                <p className="text-muted">{`${service.duration} minute appt.`}</p>
              </DescriptionItem>
            )}
            {hasTime && designName}
            <DescriptionItem name="Price">
              {(price || isPaymentDue) && (
                <>
                  {price && <PriceText price={price} />}
                  {isPaymentDue && (
                    <>
                      <BookingTerms policy="" deposit={deposit} />
                      <p className="text-muted">Payment due at appointment</p>
                    </>
                  )}
                </>
              )}
            </DescriptionItem>
          </dl>
          {can.includes('confirm') && policy && (
            <dl className="sm:order-1 sm:col-span-2">
              <Terms policy={policy} />
            </dl>
          )}
          <dl>
            <DescriptionItem name="Where">
              <p>{studio.name}</p>
              {formatAddressLines(studio).map((line) => (
                <p key={line}>{line}</p>
              ))}
              <a
                href={studioMapUrl(studio)}
                target="_blank"
                rel="noopener noreferrer"
                className="link -mb-2 inline-flex min-h-11 items-center"
              >
                See on a map
              </a>
            </DescriptionItem>
          </dl>
        </div>
      </div>
    </div>
  );
}

function Terms({ policy }: { policy: string }) {
  return (
    <DescriptionItem name="Terms">
      <BookingTerms policy={policy} deposit={null} />
    </DescriptionItem>
  );
}

interface AppointmentDetailsProps {
  confirmation: Confirmation;
  /** Whether the client can still decide; then the card shows the policy. */
  isOpen: boolean;
}

/** The client's texts, and the artist's policy unless the card shows it. */
export function AppointmentDetails({ confirmation, isOpen }: AppointmentDetailsProps) {
  const { location, size, customer_notes: notes } = confirmation;
  const policy = isOpen ? null : confirmation.booking_policy;
  if (!location && !size && !notes && !policy) return null;
  return (
    <Disclosure title="Details" isOpen={isOpen}>
      <dl className="grid gap-5">
        {policy && <Terms policy={policy} />}
        <DescriptionItem name="Location on the body">
          {location && BODY_LOCATION_LABELS[location]}
        </DescriptionItem>
        <DescriptionItem name="Size">{size && TATTOO_SIZE_LABELS[size]}</DescriptionItem>
        <DescriptionItem name="Your notes">
          {notes && <p className="whitespace-pre-line">{notes}</p>}
        </DescriptionItem>
      </dl>
    </Disclosure>
  );
}
