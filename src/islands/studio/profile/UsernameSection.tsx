import { useState } from 'react';
import * as z from 'zod/mini';
import { ArtistChanges, type CurrentArtist } from '#contract/artist.ts';
import { saveProfile } from '#stores/studio/profile.ts';
import { ConfirmDialog } from '../../dialog/ConfirmDialog.tsx';
import { TextField } from '../../forms/fields.tsx';
import { SectionForm } from '../SectionForm.tsx';

/** The open dialog that asks the artist to confirm a new username. */
interface ConfirmationDialog {
  readonly username: string;
  readonly resolve: (isConfirmed: boolean) => void;
}

const UsernameSchema = z.required(z.pick(ArtistChanges, { username: true }));

/** Changes the username, which is the address of the artist's public page, after a confirmation. */
export function UsernameSection({ me }: { me: CurrentArtist }) {
  const [dialog, setDialog] = useState<ConfirmationDialog | null>(null);

  async function save({ username }: { username: string }) {
    if (username === me.username) return me;
    const isConfirmed = await new Promise<boolean>((resolve) => setDialog({ username, resolve }));
    return isConfirmed ? saveProfile({ username }, 'Your page has a new address.') : null;
  }

  function closeDialog(isConfirmed: boolean): void {
    dialog?.resolve(isConfirmed);
    setDialog(null);
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
          name="username"
          label="Username"
          prefix={`${location.host}/`}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          required
        />
      </SectionForm>
      {dialog && (
        <ConfirmDialog
          title="Change your page’s address?"
          confirmLabel="Change the address"
          cancelLabel={`Keep ${me.username}`}
          onConfirm={async () => closeDialog(true)}
          onClose={() => closeDialog(false)}
        >
          <div className="grid gap-4">
            <dl className="grid gap-2">
              <div>
                <dt className="text-muted">Now</dt>
                <dd className="wrap-anywhere line-through">{`${location.origin}/${me.username}/`}</dd>
              </div>
              <div>
                <dt className="text-muted">From now on</dt>
                <dd className="font-semibold wrap-anywhere">{`${location.origin}/${dialog.username}/`}</dd>
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
