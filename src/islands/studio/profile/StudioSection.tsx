import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { StudioName, studioFields } from '#contract/account_form.ts';
import type { CurrentArtist, Studio } from '#contract/artist.ts';
import {
  loadStudioQuestion,
  type StudioAnswer,
  type StudioQuestion,
  saveStudio,
} from '#stores/studio/studio_change.ts';
import { TextField } from '../../forms/fields.tsx';
import { TimeZoneField } from '../../forms/TimeZoneField.tsx';
import { useQuestion } from '../form_hooks.ts';
import { SectionForm } from '../SectionForm.tsx';
import { StudioChangeDialog } from './StudioChangeDialog.tsx';

const StudioSchema = z.object({ studio: z.object({ name: StudioName, ...studioFields }) });

export function StudioSection({ me }: { me: CurrentArtist }) {
  const { question, ask, answer } = useQuestion<StudioQuestion, StudioAnswer>();

  async function save({ studio }: z.output<typeof StudioSchema>): Promise<CurrentArtist | null> {
    const loaded = await loadStudioQuestion(me, studio);
    if (loaded === null) return saveStudio(studio, null);
    const given = await ask(loaded);
    return given === null ? null : saveStudio(studio, given);
  }

  return (
    <>
      <SectionForm
        schema={StudioSchema}
        draftName="studio"
        saved={me}
        toValues={toStudioValues}
        saveLabel="Save studio"
        onSave={save}
      >
        <TextField name="studio.name" label="Studio name" autoComplete="organization" required />
        <TextField
          name="studio.address_one"
          label="Address line 1"
          autoComplete="address-line1"
          required
        />
        <TextField
          name="studio.address_two"
          label="Address line 2 (optional)"
          autoComplete="address-line2"
        />
        <div className="grid gap-x-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
          <TextField name="studio.city" label="City" autoComplete="address-level2" required />
          <TextField name="studio.state" label="State" autoComplete="address-level1" required />
          <TextField name="studio.zip_code" label="Zip code" autoComplete="postal-code" required />
        </div>
        <TimeZoneField name="studio.time_zone" label="Time zone" required />
        <StudioChangeNotice studio={me.studio} />
      </SectionForm>
      {question && <StudioChangeDialog me={me} question={question} onAnswer={answer} />}
    </>
  );
}

function toStudioValues({ studio }: CurrentArtist) {
  const { offsets: _, address_two, ...others } = studio;
  return { studio: { ...others, address_two: address_two ?? '' } };
}

/** Says how a new time zone, not yet saved, affects the opening hours. */
function StudioChangeNotice({ studio }: { studio: Studio }) {
  const zone: unknown = useWatch({ name: 'studio.time_zone' });
  const hasNewZone = zone !== '' && zone !== studio.time_zone;
  return (
    <div role="status">
      {hasNewZone && (
        <p className="mb-4 border-l-4 border-main pl-4">
          <strong>Your opening hours will be read in the new time zone.</strong>
          <span> You decide about upcoming appointments when you save.</span>
        </p>
      )}
    </div>
  );
}
