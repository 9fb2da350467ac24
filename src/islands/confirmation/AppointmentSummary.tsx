import type { Confirmation } from '#contract/appointment.ts';
import { BODY_LOCATION_LABELS, TATTOO_SIZE_LABELS } from '#domain/appointment_labels.ts';
import { formatAddressLines, studioMapUrl } from '#domain/calendar_event.ts';
import { DescriptionItem } from '../DescriptionItem.tsx';
import { BookingTerms, PriceText } from '../PriceText.tsx';
import { Picture } from '../pictures/Picture.tsx';

/** The appointment's service, design, price and studio, and what the client wrote. */
export function AppointmentSummary({ confirmation }: { confirmation: Confirmation }) {
  const { service, design, location, size, customer_notes, user } = confirmation;
  const { studio } = user;
  const { price, deposit, booking_policy: policy } = confirmation;
  return (
    <dl className="grid gap-5">
      {service && (
        <DescriptionItem name="Appointment">
          <p>{service.name}</p>
          <p className="text-muted">{`${service.duration} minute appt.`}</p>
        </DescriptionItem>
      )}
      {design && (
        <DescriptionItem name="Design">
          <div className="mt-1 flex flex-wrap items-center gap-4">
            <Picture
              image={design.image}
              sizes="5rem"
              className="size-20 shrink-0 bg-flash"
              fit="contain"
            />
            <p className="min-w-0 flex-1 basis-24">{design.name}</p>
          </div>
        </DescriptionItem>
      )}
      <DescriptionItem name="Price">{price && <PriceText price={price} />}</DescriptionItem>
      <DescriptionItem name="Terms">
        {(deposit || policy) && <BookingTerms policy={policy} deposit={deposit} />}
      </DescriptionItem>
      <DescriptionItem name="Where">
        <p>{studio.name}</p>
        {formatAddressLines(studio).map((line) => (
          <p key={line}>{line}</p>
        ))}
        <a
          href={studioMapUrl(studio)}
          target="_blank"
          rel="noopener noreferrer"
          className="link inline-flex min-h-11 items-center"
        >
          See on a map
        </a>
      </DescriptionItem>
      <DescriptionItem name="Location on the body">
        {location && BODY_LOCATION_LABELS[location]}
      </DescriptionItem>
      <DescriptionItem name="Size">{size && TATTOO_SIZE_LABELS[size]}</DescriptionItem>
      <DescriptionItem name="Your notes">
        {customer_notes && <p className="whitespace-pre-line">{customer_notes}</p>}
      </DescriptionItem>
    </dl>
  );
}
