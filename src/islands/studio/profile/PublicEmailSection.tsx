import { useFormContext, useWatch } from 'react-hook-form';
import { type CurrentArtist, PublicEmailForm } from '#contract/artist.ts';
import { PUBLIC_EMAIL_KINDS, type PublicEmailKind } from '#domain/artist.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { TextField } from '../../forms/fields.tsx';
import { RadioButton } from '../../forms/RadioButton.tsx';
import { SectionForm } from '../SectionForm.tsx';

/** Which email clients see on the artist's page and in mails. */
export function PublicEmailSection({ me }: { me: CurrentArtist }) {
  return (
    <SectionForm
      schema={PublicEmailForm}
      draftName="public-email"
      saved={me}
      toValues={({ public_email }) => ({
        kind: public_email.kind,
        other_email: public_email.kind === 'other' ? public_email.email : '',
      })}
      saveLabel="Save what clients see"
      onSave={({ kind, other_email: email }) =>
        saveProfile(
          { public_email: kind === 'other' ? { kind, email } : { kind } },
          kind === 'none' ? 'Your page shows no email.' : 'Your page shows it from now on.',
        )
      }
    >
      <PublicEmailFields accountEmail={me.email} />
    </SectionForm>
  );
}

function PublicEmailFields({ accountEmail }: { accountEmail: string }) {
  const { setValue } = useFormContext<{ kind: PublicEmailKind }>();
  const shown = useWatch<{ kind: PublicEmailKind }, 'kind'>({ name: 'kind' });
  const labels: Record<PublicEmailKind, string> = {
    account: `The email of your account, ${accountEmail}`,
    other: 'Another email',
    none: 'None: clients write by your contact form, and cannot answer our mails',
  };
  return (
    <>
      <fieldset className="grid gap-1 pb-3">
        <legend className="pb-2 text-muted">
          Clients see it on your page and in our mails to them, and their answers go there.
        </legend>
        {PUBLIC_EMAIL_KINDS.map((kind) => (
          <RadioButton
            key={kind}
            checked={shown === kind}
            onSelect={() => setValue('kind', kind, { shouldDirty: true, shouldValidate: true })}
          >
            <span className="wrap-anywhere">{labels[kind]}</span>
          </RadioButton>
        ))}
      </fieldset>
      {shown === 'other' && (
        <TextField
          name="other_email"
          label="Email on your page"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      )}
    </>
  );
}
