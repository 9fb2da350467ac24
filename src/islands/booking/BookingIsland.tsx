import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider } from 'react-hook-form';
import type { Artist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import { createBooking } from '#stores/booking.ts';
import type { MonthOfPage } from '#stores/months.ts';
import { useHydrated } from '../hydrated.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { DetailsCards } from './DetailsCards.tsx';
import { FORM_ID, useDetailsForm } from './details_form.ts';
import { onReturn } from './on_return.ts';
import { SaveBar } from './SaveBar.tsx';
import { ServiceList, ServiceSummary } from './ServiceChoice.tsx';
import { TimeCard } from './TimeCard.tsx';

interface BookingIslandProps {
  artist: Artist;
  services: Service[];
  serviceId: string | null;
  designId: string | null;
  /** The times of the service's first month, when they came with the page. */
  monthOfPage: MonthOfPage | null;
}

/** The service flow: choose a service, pick a day and a time, tell about the tattoo, save. */
export default function BookingIsland({
  artist,
  services,
  serviceId,
  designId,
  monthOfPage,
}: BookingIslandProps) {
  const { username } = artist;
  const zone = artist.studio.time_zone;
  const [booking] = useState(() =>
    createBooking({ username, zone, services, serviceId, designId, monthOfPage }),
  );
  const { form, clear, focusInvalid, showInvalid } = useDetailsForm(username);
  const choice = useStore(booking.$choice);
  const pick = useStore(booking.$pick);
  const submission = useStore(booking.$submission);
  const listHeading = useRef<HTMLHeadingElement>(null);
  const timeHeading = useRef<HTMLHeadingElement>(null);
  const timeNotice = useRef<HTMLParagraphElement>(null);

  // Only then is what came with the page on show, and asking again delays nothing.
  const hydrated = useHydrated();
  useEffect(() => {
    if (hydrated) booking.open();
  }, [booking, hydrated]);
  useEffect(() =>
    onReturn(() => {
      if (submission.kind === 'sent') startOver();
      booking.reopen();
      booking.refresh();
    }),
  );

  function startOver(): void {
    booking.reset();
    clear();
  }

  function choose(service: Service): void {
    flushSync(() => booking.choose(service));
    history.replaceState(history.state, '', hrefOf(designId, service.id));
    timeHeading.current?.focus();
  }

  function chooseAgain(): void {
    flushSync(booking.chooseAgain);
    history.replaceState(history.state, '', hrefOf(designId, null));
    listHeading.current?.focus();
  }

  /** Whether a time is picked; if not, says so where it is picked. */
  function hasTime(): boolean {
    if (booking.$pick.get().kind === 'slot') return true;
    flushSync(() => booking.$timeMissing.set(true));
    timeNotice.current?.focus();
    return false;
  }

  const save = form.handleSubmit(
    async (details) => {
      if (!hasTime()) return;
      const answer = await booking.send(details);
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
            hrefOf={(service) => hrefOf(designId, service.id)}
            onChoose={choose}
          />
        </section>
      ) : (
        <form id={FORM_ID} noValidate className="grid gap-6" onSubmit={save}>
          <ServiceSummary
            service={choice.service}
            changeHref={hrefOf(designId, null)}
            onChange={chooseAgain}
          />
          <TimeCard booking={booking} zone={zone} notice={timeNotice} heading={timeHeading} />
          <DetailsCards />
          <SaveBar
            submission={submission}
            changed={form.formState.isDirty || pick.kind === 'slot'}
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
function hrefOf(designId: string | null, serviceId: string | null): string {
  const search = new URLSearchParams();
  if (designId !== null) search.set('design', designId);
  if (serviceId !== null) search.set('service', serviceId);
  return `?${search}`;
}
