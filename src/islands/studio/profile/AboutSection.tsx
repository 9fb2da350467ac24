import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist } from '#contract/artist.ts';
import { MAX_STYLES, STYLES } from '#domain/style.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { ChoiceFields } from '../ChoiceFields.tsx';
import { SectionForm } from '../SectionForm.tsx';

const AboutSchema = z.pick(ArtistChanges, {
  full_name: true,
  about_me: true,
  styles: true,
  instagram: true,
  facebook: true,
});

/** Name, description, styles and social media, which clients read. */
export function AboutSection({ me }: { me: CurrentArtist }) {
  return (
    <SectionForm
      schema={AboutSchema}
      draftName="about"
      saved={me}
      toValues={toAboutValues}
      saveLabel="Save about you"
      onSave={(_, changes) => saveProfile(changes, 'Your page shows it from now on.')}
    >
      <TextField name="full_name" label="Full name" autoComplete="name" required />
      <TextAreaField
        name="about_me"
        label="About"
        hint="Your style, how you work, what clients should know. It is on the About page."
        rows={7}
      />
      <ChoiceFields
        name="styles"
        legend="Styles"
        toHint={() => `Up to ${MAX_STYLES}. Clients find you by them on Explore.`}
        choices={STYLES}
        max={MAX_STYLES}
        toLabel={(style) => style}
      />
      <TextField
        name="instagram"
        label="Instagram"
        hint="A handle such as @rosa.ink, or the link to your profile"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        name="facebook"
        label="Facebook"
        hint="A handle, or the link to your profile"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
      />
    </SectionForm>
  );
}

function toAboutValues(me: CurrentArtist) {
  return {
    full_name: me.full_name,
    about_me: me.about_me ?? '',
    styles: me.styles,
    instagram: me.instagram_url ?? '',
    facebook: me.facebook_url ?? '',
  };
}
