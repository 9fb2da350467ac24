import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider } from 'react-hook-form';
import type { Artist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import type { InitialMonth } from '#stores/availability.ts';
import { createBooking } from '#stores/booking.ts';
import { closeToast, showSuccessToast } from '#stores/toasts.ts';
import { onBfcacheRestore, useHydrated } from '../browser.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { DetailsFields } from './DetailsFields.tsx';
import { APPOINTMENT_FORM_ID, useDetailsForm } from './details_form.ts';
import { ServiceList, ServiceNotice, ServiceSummary } from './ServiceChoice.tsx';
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
  const { username } = artist;
  const zone = artist.studio.time_zone;
  const [booking] = useState(() => createBooking({ username, zone, ...props }));
  const { form, clearForm, restoreForm, focusInvalid, showInvalid } = useDetailsForm(username);
  const services = useStore(booking.$services);
  const serviceNotice = useStore(booking.$serviceNotice);
  const design = useStore(booking.$design);
  const chosenService = useStore(booking.$service);
  const chosenSlot = useStore(booking.$chosenSlot);
  const submission = useStore(booking.$submission);
  const listHeading = useRef<HTMLHeadingElement>(null);
  const timeHeading = useRef<HTMLHeadingElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  const undoToast = useRef(0);

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

  function cancel(): void {
    const slot = booking.$chosenSlot.get();
    booking.resetChosenSlot();
    const details = clearForm();
    timeHeading.current?.focus();
    closeToast(undoToast.current);
    const undo = () => {
      restoreForm(details);
      if (slot.kind === 'slot') booking.restoreSlot(slot);
      timeHeading.current?.focus();
    };
    undoToast.current = showSuccessToast('Form cleared.', 'Nothing was sent.', {
      label: 'Undo',
      run: undo,
    });
  }

  // `flushSync` renders the heading that is focused next.
  function chooseService(service: Service): void {
    flushSync(() => booking.chooseService(service));
    history.replaceState(history.state, '', bookingHref(design.id, service.id));
    timeHeading.current?.focus();
  }

  function changeService(): void {
    flushSync(booking.clearService);
    history.replaceState(history.state, '', bookingHref(design.id, null));
    listHeading.current?.focus();
  }

  /** Whether a time is chosen; if not, shows and focuses an error above the calendar. */
  function checkTime(): boolean {
    if (booking.$chosenSlot.get().kind === 'slot') return true;
    flushSync(booking.showTimeMissing);
    notice.current?.focus();
    return false;
  }

  const save = form.handleSubmit(
    async (details) => {
      if (!checkTime()) return;
      const result = await booking.submitBooking(details);
      if (result.kind === 'invalid') showInvalid(result);
      if (result.kind === 'conflict' && result.reason !== 'design') {
        // Renders the notice of the store.
        flushSync(() => {});
        (notice.current ?? timeHeading.current)?.focus();
      }
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
          <ServiceNotice text={serviceNotice} noticeRef={notice} />
          <ServiceList
            services={services}
            serviceHref={(service) => bookingHref(design.id, service.id)}
            onChoose={chooseService}
          />
        </section>
      ) : (
        <form id={APPOINTMENT_FORM_ID} noValidate className="grid gap-6" onSubmit={save}>
          <ServiceNotice text={serviceNotice} noticeRef={notice} />
          <ServiceSummary
            service={chosenService}
            changeHref={bookingHref(design.id, null)}
            onChange={changeService}
          />
          <TimeCard booking={booking} noticeRef={notice} headingRef={timeHeading} />
          <DetailsFields />
          <SubmitBar
            submission={submission}
            hasChanges={form.formState.isDirty || chosenSlot.kind === 'slot'}
            isDesignGone={design.isGone}
            onDropDesign={booking.dropDesign}
            onCancel={cancel}
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
