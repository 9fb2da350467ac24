import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider } from 'react-hook-form';
import type { Artist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import type { InitialMonth } from '#stores/availability.ts';
import { createBooking } from '#stores/booking.ts';
import { useHydrated } from '../browser.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { onBfcacheRestore } from './bfcache.ts';
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
  /** The times of the service's first month, when they came with the page. */
  initialMonth: InitialMonth | null;
}

/** The service flow: choose a service, pick a day and a time, tell about the tattoo, save. */
export default function BookingIsland({
  artist,
  services,
  serviceId,
  designId,
  initialMonth: monthOfPage,
}: BookingIslandProps) {
  const { username } = artist;
  const zone = artist.studio.time_zone;
  const [booking] = useState(() =>
    createBooking({ username, zone, services, serviceId, designId, initialMonth: monthOfPage }),
  );
  const { form, clear, focusInvalid, showInvalid } = useDetailsForm(username);
  const choice = useStore(booking.$serviceChoice);
  const pick = useStore(booking.$chosenSlot);
  const submission = useStore(booking.$submission);
  const listHeading = useRef<HTMLHeadingElement>(null);
  const timeHeading = useRef<HTMLHeadingElement>(null);
  const timeNotice = useRef<HTMLParagraphElement>(null);

  // Only then is what came with the page on show, and asking again delays nothing.
  const hydrated = useHydrated();
  useEffect(() => {
    if (hydrated) booking.startBooking();
  }, [booking, hydrated]);
  useEffect(() =>
    onBfcacheRestore(() => {
      if (submission.kind === 'sent') startOver();
      booking.resetSubmission();
      booking.refresh();
    }),
  );

  function startOver(): void {
    booking.reset();
    clear();
  }

  function choose(service: Service): void {
    flushSync(() => booking.chooseService(service));
    history.replaceState(history.state, '', bookingHref(designId, service.id));
    timeHeading.current?.focus();
  }

  function chooseAgain(): void {
    flushSync(booking.clearService);
    history.replaceState(history.state, '', bookingHref(designId, null));
    listHeading.current?.focus();
  }

  /** Whether a time is picked; if not, says so where it is picked. */
  function hasTime(): boolean {
    if (booking.$chosenSlot.get().kind === 'slot') return true;
    flushSync(() => booking.$isTimeMissing.set(true));
    timeNotice.current?.focus();
    return false;
  }

  const save = form.handleSubmit(
    async (details) => {
      if (!hasTime()) return;
      const answer = await booking.submitBooking(details);
      if (answer.kind === 'invalid') showInvalid(answer);
      if (answer.kind === 'conflict') timeHeading.current?.focus();
      if (answer.kind !== 'sent') return;
      startOver();
      window.location.assign(`/${username}/confirmation/${answer.id}/`);
    },
    (errors) => {
      if (hasTime()) focusInvalid(errors);
    },
  );

  return (
    <FormProvider {...form}>
      {choice.kind === 'choosing' ? (
        <section className="grid gap-6">
          <h2 ref={listHeading} tabIndex={-1} className="text-3xl">
            Select Appointment
          </h2>
          <ServiceList
            services={services}
            serviceHref={(service) => bookingHref(designId, service.id)}
            onChoose={choose}
          />
        </section>
      ) : (
        <form id={APPOINTMENT_FORM_ID} noValidate className="grid gap-6" onSubmit={save}>
          <ServiceSummary
            service={choice.service}
            changeHref={bookingHref(designId, null)}
            onChange={chooseAgain}
          />
          <TimeCard booking={booking} zone={zone} noticeRef={timeNotice} headingRef={timeHeading} />
          <DetailsFields />
          <SubmitBar
            submission={submission}
            hasChanges={form.formState.isDirty || pick.kind === 'slot'}
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

/** This page with another choice. */
function bookingHref(designId: string | null, serviceId: string | null): string {
  const search = new URLSearchParams();
  if (designId !== null) search.set('design', designId);
  if (serviceId !== null) search.set('service', serviceId);
  return `?${search}`;
}
