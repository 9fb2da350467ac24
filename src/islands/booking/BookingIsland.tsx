import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider } from 'react-hook-form';
import type { Artist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import type { InitialMonth } from '#stores/availability.ts';
import { createBooking } from '#stores/booking.ts';
import { onBfcacheRestore, useHydrated } from '../browser.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { DetailsFields } from './DetailsFields.tsx';
import { APPOINTMENT_FORM_ID, useDetailsForm } from './details_form.ts';
import { ServiceList, ServiceSummary } from './ServiceChoice.tsx';
import { SubmitBar } from './SubmitBar.tsx';
import { TimeCard } from './TimeCard.tsx';

interface BookingIslandProps {
  artist: Artist;
  services: Service[];
  serviceId: string | null;
  designId: string | null;
  /** The times of the service's first month, when the page already has them. */
  initialMonth: InitialMonth | null;
}

/**
 * The form for artists with service scheduling: the client chooses a service, a day and a time,
 * describes the tattoo and saves.
 */
export default function BookingIsland({ artist, ...props }: BookingIslandProps) {
  const { services, designId } = props;
  const { username } = artist;
  const zone = artist.studio.time_zone;
  const [booking] = useState(() => createBooking({ username, zone, ...props }));
  const { form, clearForm, focusInvalid, showInvalid } = useDetailsForm(username);
  const chosenService = useStore(booking.$service);
  const chosenSlot = useStore(booking.$chosenSlot);
  const submission = useStore(booking.$submission);
  const listHeading = useRef<HTMLHeadingElement>(null);
  const timeHeading = useRef<HTMLHeadingElement>(null);
  const timeNotice = useRef<HTMLParagraphElement>(null);

  // Reloads the times only after hydration, when those that came with the page are visible.
  const hydrated = useHydrated();
  useEffect(() => {
    return hydrated ? booking.startBooking() : undefined;
  }, [booking, hydrated]);
  useEffect(() =>
    onBfcacheRestore(() => {
      if (submission === 'sent') startOver();
      booking.resetSubmission();
      booking.refresh();
    }),
  );

  function startOver(): void {
    booking.resetChosenSlot();
    clearForm();
  }

  // `flushSync` renders the heading that is focused next.
  function chooseService(service: Service): void {
    flushSync(() => booking.chooseService(service));
    history.replaceState(history.state, '', bookingHref(designId, service.id));
    timeHeading.current?.focus();
  }

  function changeService(): void {
    flushSync(booking.clearService);
    history.replaceState(history.state, '', bookingHref(designId, null));
    listHeading.current?.focus();
  }

  /** Whether a time is chosen; if not, shows and focuses an error above the calendar. */
  function checkTime(): boolean {
    if (booking.$chosenSlot.get().kind === 'slot') return true;
    flushSync(() => booking.$isTimeMissing.set(true));
    timeNotice.current?.focus();
    return false;
  }

  const save = form.handleSubmit(
    async (details) => {
      if (!checkTime()) return;
      const result = await booking.submitBooking(details);
      if (result.kind === 'invalid') showInvalid(result);
      if (result.kind === 'conflict') timeHeading.current?.focus();
      if (result.kind !== 'sent') return;
      startOver();
      window.location.assign(`/${username}/confirmation/${result.id}/`);
    },
    (errors) => {
      if (checkTime()) focusInvalid(errors);
    },
  );

  return (
    <FormProvider {...form}>
      {chosenService === null ? (
        <section className="grid gap-6">
          <h2 ref={listHeading} tabIndex={-1} className="text-3xl">
            Select Appointment
          </h2>
          <ServiceList
            services={services}
            serviceHref={(service) => bookingHref(designId, service.id)}
            onChoose={chooseService}
          />
        </section>
      ) : (
        <form id={APPOINTMENT_FORM_ID} noValidate className="grid gap-6" onSubmit={save}>
          <ServiceSummary
            service={chosenService}
            changeHref={bookingHref(designId, null)}
            onChange={changeService}
          />
          <TimeCard booking={booking} noticeRef={timeNotice} headingRef={timeHeading} />
          <DetailsFields />
          <SubmitBar
            submission={submission}
            hasChanges={form.formState.isDirty || chosenSlot.kind === 'slot'}
            onCancel={() => {
              startOver();
              timeHeading.current?.focus();
            }}
          />
        </form>
      )}
      <Toasts />
    </FormProvider>
  );
}

/** The URL of this page for another service. */
function bookingHref(designId: string | null, serviceId: string | null): string {
  const search = new URLSearchParams();
  if (designId !== null) search.set('design', designId);
  if (serviceId !== null) search.set('service', serviceId);
  return `?${search}`;
}
