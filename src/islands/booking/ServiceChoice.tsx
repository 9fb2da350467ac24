import type { RefObject } from 'react';
import type { Service } from '#contract/service.ts';
import { priceOfBooking } from '#domain/booking/booking_price.ts';
import type { Price } from '#domain/money/price.ts';
import { onPlainClick } from '../browser.ts';
import { PriceText } from '../PriceText.tsx';

interface ServiceListProps {
  /** The artist's. */
  username: string;
  services: readonly Service[];
  /** The chosen design, whose price, if it has one, is that of each service; null without a design. */
  design: { readonly price: Price | null } | null;
  serviceHref: (service: Service) => string;
  onChoose: (service: Service) => void;
}

/** The services to choose from, as links, so that the choice works before JavaScript has loaded. */
export function ServiceList(props: ServiceListProps) {
  const { username, services, design, serviceHref, onChoose } = props;
  if (services.length === 0)
    return (
      <p>
        <span>There are no appointments to choose from yet. </span>
        <a className="link" href={`/${username}/contact`}>{`Write to ${username}`}</a>
      </p>
    );
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      {services.map((service) => (
        <li key={service.id} className="card relative flex flex-col p-5 hover:border-ink">
          <h3 className="text-2xl">{service.name}</h3>
          <LengthAndPrice duration={service.duration} price={null} />
          {service.description && (
            <p className="mt-2 whitespace-pre-line text-muted">{service.description}</p>
          )}
          <div className="mt-auto flex flex-wrap items-center gap-3 pt-4">
            <LengthAndPrice duration={null} price={priceOfBooking(design, service)} />
            <a
              href={serviceHref(service)}
              className="button button-main ml-auto after:absolute after:inset-0"
              onClick={onPlainClick(() => onChoose(service))}
            >
              <span>Select</span>
              <span className="sr-only">{` ${service.name}`}</span>
            </a>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface LengthAndPriceProps {
  /** Minutes; null if it is not known. */
  duration: number | null;
  price: Price | null;
}

function LengthAndPrice({ duration, price }: LengthAndPriceProps) {
  return (
    <>
      {duration !== null && (
        <p className="mt-1 font-semibold text-muted">{`${duration} minute appt.`}</p>
      )}
      {price && (
        <p className="mt-1 font-semibold">
          <PriceText price={price} />
        </p>
      )}
    </>
  );
}

interface AppointmentChoiceProps extends LengthAndPriceProps {
  name: string;
  description?: string;
  /** The URL of the page where the client can choose another service; null for no choice. */
  changeHref?: string | null;
  /** Shows the choice on this page; left out when the choice is on another page. */
  onChange?: () => void;
}

/** Shows the chosen service, or the length that the chosen design decides. */
export function AppointmentChoice(props: AppointmentChoiceProps) {
  const { name, description, changeHref, onChange } = props;
  return (
    <div className="card flex flex-wrap items-start justify-between gap-x-4 gap-y-2 p-4 sm:p-6">
      <div className="min-w-0 flex-1 basis-44">
        <h2 className="text-2xl">{name}</h2>
        <LengthAndPrice {...props} />
      </div>
      {changeHref && (
        <a href={changeHref} className="button" onClick={onChange && onPlainClick(onChange)}>
          <span>Change</span>
          <span className="sr-only"> appointment</span>
        </a>
      )}
      {description && <p className="w-full whitespace-pre-line">{description}</p>}
    </div>
  );
}

/** Why the client must choose a service or a time again. */
export function ServiceNotice({
  text,
  noticeRef,
}: {
  text: string | null;
  noticeRef: RefObject<HTMLParagraphElement | null>;
}) {
  return (
    <div role="alert" className="empty:hidden">
      {text !== null && (
        <p ref={noticeRef} tabIndex={-1} className="field-error font-semibold">
          {text}
        </p>
      )}
    </div>
  );
}
