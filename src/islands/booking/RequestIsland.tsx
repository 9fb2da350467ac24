import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import type { Artist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import { depositOfBooking, priceOfBooking } from '#domain/booking/booking_price.ts';
import { createDesignRequest } from '#stores/design_request.ts';
import { onBfcacheRestore } from '../browser.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { DetailsFields } from './DetailsFields.tsx';
import { APPOINTMENT_FORM_ID, useDetailsForm } from './details_form.ts';
import { AppointmentChoice } from './ServiceChoice.tsx';
import { SubmitBar, type TermsProps } from './SubmitBar.tsx';

interface RequestIslandProps extends TermsProps {
  artist: Artist;
  designId: string | null;
  /** The service that the client has chosen; null for none. */
  service: Service | null;
}

/** The form for artists with managed scheduling: the client requests, the artist sets the time. */
export default function RequestIsland(props: RequestIslandProps) {
  const { artist, designId, service, designFacts = null, policy = '', deposit = null } = props;
  const { username } = artist;
  const [request] = useState(() =>
    createDesignRequest({ username, designId, serviceId: service?.id ?? null }),
  );
  const { form, phoneRules, clearForm, focusInvalid, showInvalid } = useDetailsForm(username);
  const submission = useStore(request.$submission);
  const design = useStore(request.$design);
  const facts = design.id === null ? null : designFacts;
  const price = priceOfBooking(facts, service);
  const duration = facts?.duration ?? null;
  const designChoice =
    duration === null ? null : { name: 'Your appointment', duration, price: null };
  const choice = service ?? designChoice;

  // After each render, because it needs the newest `submission`.
  useEffect(() =>
    onBfcacheRestore(() => {
      if (submission === 'sent') clearForm();
      request.resetSubmission();
    }),
  );

  const save = form.handleSubmit(async (details) => {
    const result = await request.submitRequest(details);
    if (result.kind === 'invalid') showInvalid(result);
    if (result.kind !== 'sent') return;
    clearForm();
    window.location.assign(`/${username}/confirmation/${result.id}/`);
  }, focusInvalid);

  return (
    <FormProvider {...form}>
      <form id={APPOINTMENT_FORM_ID} noValidate className="flex flex-col gap-6" onSubmit={save}>
        {choice && (
          <AppointmentChoice
            {...choice}
            // The price of the design is beside the form.
            price={price === facts?.price ? null : price}
            changeHref={service && `/${username}/services`}
          />
        )}
        <DetailsFields phoneRules={phoneRules} />
        <SubmitBar
          submission={submission}
          hasChanges={form.formState.isDirty}
          username={username}
          design={design}
          designFacts={designFacts}
          policy={policy}
          deposit={depositOfBooking(price, deposit)}
          onDropDesign={request.dropDesign}
          // The draft waits for the client to come back.
          onCancel={() => window.location.assign(`/${username}/`)}
        />
      </form>
      <Toasts />
    </FormProvider>
  );
}
