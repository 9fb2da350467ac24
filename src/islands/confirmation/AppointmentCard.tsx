import type { Confirmation } from '#contract/appointment.ts';
import { BODY_LOCATION_LABELS, TATTOO_SIZE_LABELS } from '#domain/appointment_labels.ts';
import { formatAddressLines, studioMapUrl } from '#domain/calendar_event.ts';
import { DescriptionItem } from '../DescriptionItem.tsx';
import type { Elements } from '../elements.ts';
import { BookingTerms, PriceText } from '../PriceText.tsx';
import { Picture } from '../pictures/Picture.tsx';
import { Disclosure } from './Disclosure.tsx';

interface AppointmentCardProps {
  confirmation: Confirmation;
  isPaymentDue: boolean;
  /** The time. */
  children: Elements;
}

/** The appointment at a glance: the picture, the time, the service or design, the place and the price. */
export function AppointmentCard({ confirmation, isPaymentDue, children }: AppointmentCardProps) {
  const { service, design, price, deposit, user } = confirmation;
  const { studio } = user;
  return (
    <div className="card overflow-hidden sm:flex">
      {design && (
        <Picture
          image={design.image}
          sizes="(min-width: 40rem) 13rem, 100vw"
          className="h-44 shrink-0 bg-flash sm:h-auto sm:w-52"
          fit="contain"
        />
      )}
      <div className="grid min-w-0 flex-1 content-start gap-5 p-5 sm:p-6">
        {children}
        <dl className="grid gap-5 sm:grid-cols-2">
          {service && (
            <DescriptionItem name="Appointment">
              <p>{service.name}</p>
              <p className="text-muted">{`${service.duration} minute appt.`}</p>
            </DescriptionItem>
          )}
          <DescriptionItem name="Design">{design?.name}</DescriptionItem>
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
      </div>
    </div>
  );
}

/** What the client wrote, and the artist's policy. @param isOpen while the client can still decide */
export function AppointmentDetails({
  confirmation,
  isOpen,
}: {
  confirmation: Confirmation;
  isOpen: boolean;
}) {
  const { location, size, customer_notes: notes, booking_policy: policy } = confirmation;
  if (!location && !size && !notes && !policy) return null;
  return (
    <Disclosure title="Details" isOpen={isOpen}>
      <dl className="grid gap-5">
        <DescriptionItem name="Terms">
          {policy && <BookingTerms policy={policy} deposit={null} />}
        </DescriptionItem>
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
