import { useFormContext, useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist, PublicEmailForm } from '#contract/artist.ts';
import { MAX_REMINDERS, REMINDER_HOURS_CHOICES } from '#domain/mail/mail.ts';
import { PUBLIC_EMAIL_KINDS, type PublicEmailKind } from '#domain/studio/artist.ts';
import { MAX_STYLES, STYLES } from '#domain/studio/style.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { ConfirmDialog } from '../../dialog/ConfirmDialog.tsx';
import { CheckboxField } from '../../forms/CheckboxField.tsx';
import { TextAreaField, TextField, useField } from '../../forms/fields.tsx';
import { RadioButton } from '../../forms/RadioButton.tsx';
import { artistPageUrl } from '../appointments/labels.ts';
import { ChoiceFields } from '../ChoiceFields.tsx';
import { useQuestion } from '../form_hooks.ts';
import { SCHEDULING_TYPE_LABELS } from '../home/SchedulingTypePicker.tsx';
import { formatReminderLead } from '../mails/labels.ts';
import { SectionForm } from '../SectionForm.tsx';

/** Attributes of inputs for names and addresses, which browsers must not correct. */
const AS_TYPED = { autoCapitalize: 'none', autoComplete: 'off', spellCheck: false } as const;

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
        {...AS_TYPED}
        name="instagram"
        label="Instagram"
        hint="A handle such as @rosa.ink, or the link to your profile"
      />
      <TextField
        {...AS_TYPED}
        name="facebook"
        label="Facebook"
        hint="A handle, or the link to your profile"
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

const BookingSchema = z.required(
  z.pick(ArtistChanges, { scheduling_type: true, confirm_by_mail: true, is_listed: true }),
);

/** How clients book: they pick a listed time, or send a request. */
export function BookingSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      {me.scheduling_type === null && (
        <p className="border-l-4 border-main pl-3 font-semibold">
          Not chosen yet: clients cannot book with you until you choose.
        </p>
      )}
      <SectionForm
        schema={BookingSchema}
        draftName="booking"
        saved={me}
        toValues={({ scheduling_type, confirm_by_mail, is_listed }) => ({
          scheduling_type,
          confirm_by_mail,
          is_listed,
        })}
        saveLabel="Save how clients book"
        onSave={(_, changes) => saveProfile(changes, 'Appointments that are already made stay.')}
      >
        <SchedulingTypeField />
        <CheckboxField
          name="confirm_by_mail"
          label="Confirm by mail"
          hint="Clients confirm with a link that we mail to them, so every email address is real. Without it they confirm on the page, and we ask for the link only when too many bookings come in."
        />
        <CheckboxField
          name="is_listed"
          label="Show me on the Explore page"
          hint="New clients find you there by your city and your styles, once your email is confirmed. Your own page does not change."
        />
      </SectionForm>
    </>
  );
}

function SchedulingTypeField() {
  const { id, input, error } = useField({ name: 'scheduling_type' });
  // `aria-invalid` is not allowed on a radio button.
  const { 'aria-invalid': _, ...radioProps } = input;
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="sr-only">How clients book</legend>
      {SCHEDULING_TYPE_LABELS.map(({ type, title, text }) => (
        <label
          key={type}
          className="flex cursor-pointer gap-3 rounded-lg border border-field p-4 has-checked:border-ink has-checked:bg-paper"
        >
          <input
            {...radioProps}
            id={`${id}-${type}`}
            type="radio"
            value={type}
            className="mt-1 size-5 shrink-0 accent-main"
          />
          <span className="min-w-0 wrap-anywhere">
            <span className="block font-semibold">{title}</span>
            <span className="block text-muted">{text}</span>
          </span>
        </label>
      ))}
      <p className="field-error min-h-6">{error}</p>
    </fieldset>
  );
}

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
      onSave={({ kind, other_email: email }) => {
        const public_email = kind === 'other' ? { kind, email } : { kind };
        const text =
          kind === 'none' ? 'Your page shows no email.' : 'Your page shows it from now on.';
        return saveProfile({ public_email }, text);
      }}
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
          {...AS_TYPED}
          name="other_email"
          label="Email on your page"
          type="email"
          required
        />
      )}
    </>
  );
}

const RemindersSchema = z.required(z.pick(ArtistChanges, { reminder_hours: true }));

/** Chooses how many hours before an appointment its client gets reminder emails. */
export function RemindersSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      <p className="text-muted">
        Your clients are reminded by email of what is booked, so that nobody forgets.
      </p>
      <SectionForm
        schema={RemindersSchema}
        draftName="reminders"
        saved={me}
        toValues={({ reminder_hours }) => ({ reminder_hours })}
        saveLabel="Save reminders"
        onSave={(values) =>
          saveProfile(
            values,
            values.reminder_hours.length === 0
              ? 'Your clients are not reminded any more.'
              : 'Your clients are reminded so from now on.',
          )
        }
      >
        <ChoiceFields
          name="reminder_hours"
          legend="Before the appointment"
          toHint={(chosen) =>
            chosen > 0 ? `Up to ${MAX_REMINDERS}.` : 'None chosen: your clients are not reminded.'
          }
          choices={REMINDER_HOURS_CHOICES}
          max={MAX_REMINDERS}
          toLabel={(hours) => `${formatReminderLead(hours)} before`}
        />
      </SectionForm>
    </>
  );
}

const UsernameSchema = z.required(z.pick(ArtistChanges, { username: true }));

/** Changes the username, which is the address of the artist's public page, after a confirmation. */
export function UsernameSection({ me }: { me: CurrentArtist }) {
  const { question: wanted, ask, answer } = useQuestion<string, true>();

  async function save({ username }: { username: string }): Promise<CurrentArtist | null> {
    if (username === me.username) return me;
    const isConfirmed = await ask(username);
    return isConfirmed ? saveProfile({ username }, 'Your page has a new address.') : null;
  }

  return (
    <>
      <p className="text-muted">
        It is the address of your public page. The old address stays yours, and leads to the new
        one.
      </p>
      <SectionForm
        schema={UsernameSchema}
        draftName="username"
        saved={me}
        toValues={({ username }) => ({ username })}
        saveLabel="Change username"
        onSave={save}
        conflictField="username"
      >
        <TextField
          {...AS_TYPED}
          name="username"
          label="Username"
          prefix={`${location.host}/`}
          required
        />
      </SectionForm>
      {wanted && (
        <ConfirmDialog
          title="Change your page’s address?"
          confirmLabel="Change the address"
          cancelLabel={`Keep ${me.username}`}
          onConfirm={async () => answer(true)}
          onClose={() => answer(null)}
        >
          <div className="grid gap-4">
            <dl className="grid gap-2">
              <div>
                <dt className="text-muted">Now</dt>
                <dd className="wrap-anywhere line-through">{artistPageUrl(me)}</dd>
              </div>
              <div>
                <dt className="text-muted">From now on</dt>
                <dd className="font-semibold wrap-anywhere">
                  {artistPageUrl({ username: wanted })}
                </dd>
              </div>
            </dl>
            <p>
              Links and printed codes with the old address still lead to you. Nobody else can take
              the old name.
            </p>
          </div>
        </ConfirmDialog>
      )}
    </>
  );
}
