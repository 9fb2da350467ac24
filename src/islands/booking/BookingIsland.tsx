import { useStore } from '@nanostores/react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormProvider } from 'react-hook-form';
import type { Artist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import { depositOfBooking, priceOfBooking } from '#domain/booking/booking_price.ts';
import type { LocalDate } from '#domain/time/calendar_date.ts';
import { formatShortDayAndTime } from '#domain/time/format_time.ts';
import type { InitialMonth } from '#stores/availability.ts';
import { type Booking, createBooking } from '#stores/booking.ts';
import { closeToast, showSuccessToast } from '#stores/toasts.ts';
import { onBfcacheRestore, useHydrated } from '../browser.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { DetailsFields } from './DetailsFields.tsx';
import { APPOINTMENT_FORM_ID, type DetailsForm, useDetailsForm } from './details_form.ts';
import { HeldTime } from './HeldTime.tsx';
import { AppointmentChoice, ServiceList, ServiceNotice } from './ServiceChoice.tsx';
import { SubmitBar, type TermsProps } from './SubmitBar.tsx';
import { bookingHref, useServiceSteps } from './service_steps.ts';
import { TimeCard } from './TimeCard.tsx';

interface BookingIslandProps extends TermsProps {
  artist: Artist;
  services: Service[];
  serviceId: string | null;
  designId: string | null;
  /** The date in the studio's zone by the server's clock. */
  today: LocalDate;
  /** The first month with free times, when the page already has them. */
  initialMonth: InitialMonth | null;
  /** The studio's zone as people say it, from the server, so that it does not differ between browsers. */
  zoneName: string;
}

/** The form for artists with service scheduling: the client chooses a service and a time, and describes the tattoo. */
export default function BookingIsland({ artist, ...props }: BookingIslandProps) {
  const { designFacts = null, policy = '', deposit = null } = props;
  const { username, studio: zone } = artist;
  const [booking] = useState(() => {
    const hasOwnLength = typeof designFacts?.duration === 'number';
    return createBooking({ username, zone, hasOwnLength, ...props });
  });
  const details = useDetailsForm(username);
  const { form, phoneRules, focusInvalid, showInvalid } = details;
  const services = useStore(booking.$services);
  const serviceNotice = useStore(booking.$serviceNotice);
  const design = useStore(booking.$design);
  const chosenService = useStore(booking.$service);
  const chosenTime = useStore(booking.times.$chosenTime);
  // Once the client goes on without the design, it decides nothing.
  const facts = design.id === null ? null : designFacts;
  const fixedServiceId = facts?.service_id ?? null;
  const choice = booking.isWithoutService()
    ? { name: 'Your appointment', duration: facts?.duration ?? null, price: null }
    : chosenService;
  const price = priceOfBooking(facts, choice);
  const submission = useStore(booking.$submission);
  const steps = useServiceSteps(booking, fixedServiceId);
  const { listHeading, timeHeading } = steps;
  const clear = useClear(booking, details, timeHeading);
  const notice = useRef<HTMLParagraphElement>(null);

  // `startBooking` reloads the times that came with the page, so only after hydration, which shows these.
  const hydrated = useHydrated();
  useEffect(() => (hydrated ? booking.startBooking() : undefined), [booking, hydrated]);
  useEffect(() => onBfcacheRestore(booking.resumeBooking), [booking]);

  /** Whether a time is chosen; if not, shows and focuses an error above the calendar. */
  function checkTime(): boolean {
    if (booking.times.$chosenTime.get().kind === 'slot') return true;
    flushSync(booking.times.showTimeMissing);
    notice.current?.focus();
    return false;
  }

  const save = form.handleSubmit(
    async (values) => {
      if (!checkTime()) return;
      const result = await booking.submitBooking(values);
      if (result.kind === 'invalid') showInvalid(result);
      if (result.kind === 'conflict' && result.reason !== 'design_not_available') {
        // The notice is focused next, so the page must show it at once.
        flushSync(() => {});
        (notice.current ?? timeHeading.current)?.focus();
      }
      if (result.kind !== 'sent') return;
      booking.resetChosenTime();
      window.location.assign(`/${username}/confirmation/${result.id}/`);
    },
    (errors) => {
      if (checkTime()) focusInvalid(errors);
    },
  );

  return (
    <FormProvider {...form}>
      {choice === null ? (
        <section className="grid gap-6">
          <h2 ref={listHeading} tabIndex={-1} className="text-3xl">
            Select Appointment
          </h2>
          <ServiceNotice text={serviceNotice} noticeRef={notice} />
          <ServiceList
            username={username}
            services={services}
            design={facts}
            serviceHref={(service) => bookingHref(design.id, service.id)}
            onChoose={steps.goToStep}
          />
        </section>
      ) : (
        <form id={APPOINTMENT_FORM_ID} noValidate className="flex flex-col gap-6" onSubmit={save}>
          <ServiceNotice text={serviceNotice} noticeRef={notice} />
          <AppointmentChoice
            {...choice}
            // The price of the design is beside the form.
            price={price === facts?.price ? null : price}
            changeHref={
              chosenService === null || chosenService.id === fixedServiceId
                ? null
                : bookingHref(design.id, null)
            }
            onChange={() => steps.goToStep(null)}
          />
          <TimeCard
            times={booking.times}
            zoneName={props.zoneName}
            noticeRef={notice}
            headingRef={timeHeading}
          >
            <HeldTime booking={booking} username={username} />
          </TimeCard>
          <DetailsFields phoneRules={phoneRules} />
          <SubmitBar
            submission={submission}
            chosenTime={
              chosenTime.kind === 'slot'
                ? formatShortDayAndTime(chosenTime.start, zone, booking.times.conventions)
                : null
            }
            hasChanges={form.formState.isDirty || chosenTime.kind === 'slot'}
            username={username}
            design={design}
            designFacts={designFacts}
            policy={policy}
            deposit={depositOfBooking(price, deposit)}
            onDropDesign={steps.dropDesign}
            onCancel={clear}
          />
        </form>
      )}
      <Toasts />
    </FormProvider>
  );
}

/** Clears the form and the chosen time; a toast offers Undo. */
function useClear(
  booking: Booking,
  { clearForm, restoreForm }: DetailsForm,
  timeHeading: RefObject<HTMLHeadingElement | null>,
): () => void {
  const undoToast = useRef(0);
  return () => {
    const slot = booking.times.$chosenTime.get();
    const bookedId = booking.bookedId();
    booking.resetChosenTime();
    const details = clearForm();
    timeHeading.current?.focus();
    closeToast(undoToast.current);
    const undo = () => {
      restoreForm(details);
      if (slot.kind === 'slot' && bookedId !== null) booking.restoreSlot(bookedId, slot);
      timeHeading.current?.focus();
    };
    undoToast.current = showSuccessToast('Form cleared.', 'Nothing was sent.', {
      label: 'Undo',
      run: undo,
    });
  };
}
