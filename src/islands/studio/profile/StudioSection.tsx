import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist } from '#contract/artist.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { TextField } from '../../forms/fields.tsx';
import { TimeZoneField } from '../../forms/TimeZoneField.tsx';
import { SectionForm } from '../SectionForm.tsx';
import { StudioChangeNotice } from './StudioChangeNotice.tsx';

const StudioSchema = z.pick(ArtistChanges, { studio: true });

/** The name, address and time zone of the artist's studio. */
export function StudioSection({ me }: { me: CurrentArtist }) {
  return (
    <SectionForm
      schema={StudioSchema}
      draftName="studio"
      saved={me}
      toValues={toStudioValues}
      saveLabel="Save studio"
      onSave={(values) => saveProfile(values, 'Your page shows the studio as it is now.')}
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
  );
}

function toStudioValues({ studio }: CurrentArtist) {
  return { studio: { ...studio, address_two: studio.address_two ?? '' } };
}
