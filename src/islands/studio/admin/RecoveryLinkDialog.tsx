import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import * as z from 'zod/mini';
import type { AdminArtist, RecoveryLink } from '#contract/admin.ts';
import { type CurrentArtist, PasswordChange } from '#contract/artist.ts';
import { formatTime } from '#domain/format_time.ts';
import { makeRecoveryLink } from '#stores/studio/admin.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { PasswordField } from '../../forms/PasswordField.tsx';
import { useValidatedForm } from '../../forms/validated_form.ts';
import { CopyButton } from '../CopyButton.tsx';
import { useFormSubmit } from '../form_hooks.ts';
import { PasswordManagerUsername } from '../profile/PasswordManagerUsername.tsx';

const PasswordSchema = z.object({ password: PasswordChange.shape.current_password });

interface RecoveryLinkDialogProps {
  artist: AdminArtist;
  me: CurrentArtist;
  onClose: () => void;
}

/** Asks for the superuser's password, then shows the link until the dialog is closed. */
export function RecoveryLinkDialog({ artist, me, onClose }: RecoveryLinkDialogProps) {
  const [link, setLink] = useState<RecoveryLink | null>(null);
  return (
    <Dialog title={`Recovery link for ${artist.username}`} closesOutside={false} onClose={onClose}>
      {link === null ? (
        <PasswordForm artist={artist} me={me} onLink={setLink} onClose={onClose} />
      ) : (
        <ShownLink link={link} zone={me.studio.time_zone} onClose={onClose} />
      )}
    </Dialog>
  );
}

function PasswordForm({
  artist,
  me,
  onLink,
  onClose,
}: RecoveryLinkDialogProps & { onLink: (link: RecoveryLink) => void }) {
  const form = useValidatedForm(PasswordSchema, { password: '' });
  const { isSubmitting } = form.formState;
  const { submit, problem } = useFormSubmit(
    form,
    async ({ password }) => onLink(await makeRecoveryLink(me, password, artist)),
    { status: 400, field: 'password', message: 'That is not your password' },
  );
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <p>
          {`With the link, ${artist.full_name} chooses a new password. It opens the account, so first make sure that it is really the artist who asks.`}
        </p>
        <p className="text-muted">
          {`It works once, within one hour. A mail to ${artist.email} tells them of it, and the action is recorded.`}
        </p>
        <PasswordManagerUsername email={me.email} />
        <PasswordField
          name="password"
          label="Your own password"
          autoComplete="current-password"
          required
        />
        <div role="alert" className="text-danger empty:hidden">
          {problem && <p>{problem}</p>}
        </div>
        <div className="flex flex-wrap gap-3">
          <BusyButton type="submit" busy={isSubmitting} className="button button-main">
            {isSubmitting ? 'Making the link…' : 'Make the link'}
          </BusyButton>
          <button type="button" className="button" disabled={isSubmitting} onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </FormProvider>
  );
}

interface ShownLinkProps {
  link: RecoveryLink;
  zone: string;
  onClose: () => void;
}

function ShownLink({ link, zone, onClose }: ShownLinkProps) {
  return (
    <div className="grid gap-4">
      <p role="status">
        {`Hand over this link. It works once, until ${formatTime(link.expires_at, zone)} (${zone}), and is not shown again.`}
      </p>
      <div className="field">
        <label htmlFor="recovery-link">Link</label>
        <textarea
          id="recovery-link"
          readOnly
          rows={4}
          value={link.url}
          className="input font-mono text-sm"
          onFocus={({ target }) => target.select()}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={link.url} label="Copy the link" className="button button-main" />
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
