import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Service } from '#contract/service.ts';
import type { Booking } from '#stores/booking.ts';

/**
 * The two steps of a booking: the list of services, and the form for one of them. Each is an entry of the
 * browser's history. The heading of a step gets the focus when the step is shown.
 * @param fixedServiceId the service of the chosen design; null if the design leaves the choice
 */
export function useServiceSteps(booking: Booking, fixedServiceId: string | null) {
  const listHeading = useRef<HTMLHeadingElement>(null);
  const timeHeading = useRef<HTMLHeadingElement>(null);

  /** Shows the step for a service, or the list of services for null. */
  function showStep(service: Service | null): void {
    // The page must show the heading before it is focused.
    flushSync(() => (service === null ? booking.clearService() : booking.chooseService(service)));
    (service === null ? listHeading : timeHeading).current?.focus();
  }

  function goToStep(service: Service | null): void {
    const designId = booking.$design.get().id;
    history.pushState(null, '', bookingHref(designId, service?.id ?? null));
    showStep(service);
  }

  /** Goes on without the design. If it decided about the service, the list of services is shown next. */
  function dropDesign(): void {
    flushSync(booking.dropDesign);
    listHeading.current?.focus();
  }

  // Back and Forward between the steps.
  useEffect(() => {
    const onPopState = () => {
      const find = (id: string | null) => booking.$services.get().find((one) => one.id === id);
      const chosenId = new URLSearchParams(location.search).get('service');
      // The design's service may be hidden: then the client chooses one.
      const service = find(fixedServiceId) ?? find(chosenId) ?? null;
      if (service?.id !== booking.$service.get()?.id) showStep(service);
    };
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  });

  return { listHeading, timeHeading, goToStep, dropDesign };
}

/** The URL of a step of the booking; a `serviceId` of null leads to the list of services. */
export function bookingHref(designId: string | null, serviceId: string | null): string {
  const search = new URLSearchParams();
  if (designId !== null) search.set('design', designId);
  if (serviceId !== null) search.set('service', serviceId);
  return `?${search}`;
}
