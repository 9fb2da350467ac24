import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import type { Artist } from '#contract/artist.ts';
import { createDesignRequest } from '#stores/design_request.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { onBfcacheRestore } from './bfcache.ts';
import { DetailsFields } from './DetailsFields.tsx';
import { APPOINTMENT_FORM_ID, useDetailsForm } from './details_form.ts';
import { SubmitBar } from './SubmitBar.tsx';

interface RequestIslandProps {
  artist: Artist;
  designId: string | null;
}

/** The managed flow: the client asks, the artist sets the time. */
export default function RequestIsland({ artist, designId }: RequestIslandProps) {
  const { username } = artist;
  const [request] = useState(() => createDesignRequest({ username, designId }));
  const { form, clear, focusInvalid, showInvalid } = useDetailsForm(username);
  const submission = useStore(request.$submission);

  useEffect(() =>
    onBfcacheRestore(() => {
      if (submission.kind === 'sent') clear();
      request.resetSubmission();
    }),
  );

  const save = form.handleSubmit(async (details) => {
    const answer = await request.submitRequest(details);
    if (answer.kind === 'invalid') showInvalid(answer);
    if (answer.kind !== 'sent') return;
    clear();
    window.location.assign(`/${username}/confirmation/${answer.id}/`);
  }, focusInvalid);

  return (
    <FormProvider {...form}>
      <form id={APPOINTMENT_FORM_ID} noValidate className="grid gap-6" onSubmit={save}>
        <DetailsFields />
        <SubmitBar
          submission={submission}
          hasChanges={form.formState.isDirty}
          onCancel={() => {
            clear();
            window.location.assign(`/${username}/`);
          }}
        />
      </form>
      <Toasts />
    </FormProvider>
  );
}
