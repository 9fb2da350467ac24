import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { CurrentArtist } from '#contract/artist.ts';
import type { Service } from '#contract/service.ts';
import { MINUTE_MS } from '#domain/time.ts';
import { $services } from '#stores/studio/all_services.ts';
import { askedToEnter, enter, forgetAsked } from '#stores/studio/appointments.ts';
import { ChoiceField, NotesField } from '../../forms/fields.tsx';
import { useJudgedForm } from '../../forms/judged_form.ts';
import { FormDialog } from '../FormDialog.tsx';
import { ClientFields } from './ClientFields.tsx';
import { BLANK_ENTRY, type EnterForm, enterForm } from './enter_form.ts';
import { TimeFields } from './TimeFields.tsx';
import { firstTime, readTyped, typedTime } from './time_form.ts';

const USUAL_MINUTES = 120;

/** An appointment that was agreed on elsewhere. */
export function EnterDialog({ me, onClose }: { me: CurrentArtist; onClose: () => void }) {
  const zone = me.studio.time_zone;
  const schema = useMemo(() => enterForm(zone), [zone]);
  const form = useJudgedForm(schema, { ...BLANK_ENTRY, ...startingTime(me) });

  async function save(typed: EnterForm): Promise<void> {
    const stretch = readTyped(zone, typed);
    if (stretch === null) return;
    await enter({
      ...stretch,
      client: typed.who === 'known' ? typed.client_id : typed.client,
      serviceId: typed.service_id || null,
      notes: typed.customer_notes,
    });
  }

  return (
    <FormDialog
      title="Enter an appointment"
      form={form}
      name="enter"
      save="Enter appointment"
      wide
      onSave={save}
      onClose={() => {
        forgetAsked();
        onClose();
      }}
    >
      <ClientFields />
      <ServiceField />
      <TimeFields me={me} />
      <NotesField name="customer_notes" label="Notes (optional)" rows={3} />
    </FormDialog>
  );
}

/** A service says how long it takes. */
function ServiceField() {
  const { data: services = [] } = useStore($services);
  const { setValue } = useFormContext();
  const chosen = String(useWatch({ name: 'service_id' }) ?? '');
  const before = useRef(chosen);
  useEffect(() => {
    if (before.current === chosen) return;
    before.current = chosen;
    const service = services.find(({ id }) => id === chosen);
    if (service) setValue('minutes', String(service.duration), { shouldValidate: true });
  }, [chosen, services, setValue]);
  if (services.length === 0) return null;
  return (
    <ChoiceField
      name="service_id"
      label="Service (optional)"
      blank="None of them"
      texts={Object.fromEntries(services.map((service) => [service.id, wordsFor(service)]))}
    />
  );
}

function wordsFor({ name, duration }: Service): string {
  return `${name}, ${duration} minutes`;
}

function startingTime(me: CurrentArtist) {
  const start = askedToEnter();
  if (!start) return firstTime(me, Date.now(), USUAL_MINUTES);
  return typedTime(me.studio.time_zone, { start, end: start + USUAL_MINUTES * MINUTE_MS });
}
