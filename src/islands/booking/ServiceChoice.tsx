import type { RefObject } from 'react';
import type { Service } from '#contract/service.ts';
import { interceptPlainClick } from '../browser.ts';

interface ServiceListProps {
  services: readonly Service[];
  serviceHref: (service: Service) => string;
  onChoose: (service: Service) => void;
}

/** Links, so that the choice works before JavaScript has loaded. */
export function ServiceList({ services, serviceHref, onChoose }: ServiceListProps) {
  if (services.length === 0) return <p>There are no appointments to choose from yet.</p>;
  return (
    <ul className="grid gap-4 sm:grid-cols-2">
      {services.map((service) => (
        <li key={service.id} className="card relative flex flex-col p-5 hover:border-ink">
          <h3 className="text-2xl">{service.name}</h3>
          <p className="mt-1 font-semibold text-muted">{`${service.duration} minute appt.`}</p>
          {service.description && (
            <p className="mt-2 whitespace-pre-line text-muted">{service.description}</p>
          )}
          <div className="mt-auto pt-5">
            <a
              href={serviceHref(service)}
              className="button button-main w-full after:absolute after:inset-0"
              onClick={(event) => interceptPlainClick(event) && onChoose(service)}
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

interface ServiceSummaryProps {
  service: Service;
  changeHref: string;
  onChange: () => void;
}

export function ServiceSummary({ service, changeHref, onChange }: ServiceSummaryProps) {
  return (
    <div className="card flex flex-wrap items-start justify-between gap-4 p-4 sm:p-6">
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="text-2xl">{service.name}</h2>
        <p className="mt-1 font-semibold text-muted">{`${service.duration} minute appt.`}</p>
        {service.description && <p className="mt-2 whitespace-pre-line">{service.description}</p>}
      </div>
      <a
        href={changeHref}
        className="button"
        onClick={(event) => interceptPlainClick(event) && onChange()}
      >
        <span>Change</span>
        <span className="sr-only"> appointment</span>
      </a>
    </div>
  );
}

/** Says that the service cannot be booked as it was. */
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
