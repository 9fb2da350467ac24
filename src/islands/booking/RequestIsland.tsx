import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { FormProvider } from 'react-hook-form';
import type { Artist } from '#contract/artist.ts';
import { createRequest } from '#stores/request.ts';
import { Toasts } from '../toasts/Toasts.tsx';
import { DetailsCards } from './DetailsCards.tsx';
import { FORM_ID, useDetailsForm } from './details_form.ts';
import { onReturn } from './on_return.ts';
import { SaveBar } from './SaveBar.tsx';

interface RequestIslandProps {
  artist: Artist;
  designId: string | null;
}

/** The managed flow: the client asks, the artist sets the time. */
export default function RequestIsland({ artist, designId }: RequestIslandProps) {
  const { username } = artist;
  const [request] = useState(() => createRequest({ username, designId }));
  const { form, clear, focusInvalid, showInvalid } = useDetailsForm(username);
  const submission = useStore(request.$submission);

  useEffect(() =>
    onReturn(() => {
      if (submission.kind === 'sent') clear();
      request.reopen();
    }),
  );

  const save = form.handleSubmit(async (details) => {
    const answer = await request.send(details);
    if (answer.kind === 'invalid') showInvalid(answer);
    if (answer.kind !== 'sent') return;
    clear();
    window.location.assign(`/${username}/confirmation/${answer.id}/`);
  }, focusInvalid);

  return (
    <FormProvider {...form}>
      <form id={FORM_ID} noValidate className="grid gap-6" onSubmit={save}>
        <DetailsCards />
        <SaveBar
          submission={submission}
          changed={form.formState.isDirty}
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
