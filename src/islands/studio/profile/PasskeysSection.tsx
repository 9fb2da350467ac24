import type { CurrentArtist } from '#contract/artist.ts';
import type { Passkey } from '#contract/passkey.ts';
import { formatShortDay } from '#domain/time/format_time.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { $passkeys, createPasskey, deletePasskey } from '#stores/studio/logins.ts';
import { canUsePasskeys } from '../../browser.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { DialogButton } from '../buttons.tsx';
import { ConfirmButton } from '../ConfirmButton.tsx';
import { ListRow } from '../ListRow.tsx';
import { QueryView } from '../LoadableView.tsx';
import { PasswordForm, usePasswordForm } from '../PasswordForm.tsx';

export function PasskeysSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      <p className="text-muted">
        With a passkey you log in by your fingerprint, your face or the PIN of your device. Your
        password works beside it.
      </p>
      <QueryView query={$passkeys} label="passkeys">
        {({ data: passkeys }) => (
          <ul className="grid divide-y divide-line empty:hidden">
            {passkeys.map((passkey) => (
              <ListRow
                key={passkey.id}
                title={formatName(passkey)}
                text={formatDates(passkey, me.studio)}
              >
                <ConfirmButton
                  label="Remove…"
                  labelEnd={` ${formatName(passkey)}`}
                  title="Remove this passkey?"
                  confirmLabel="Remove"
                  onConfirm={() => deletePasskey(passkey)}
                >
                  <p>
                    {`Nobody can log in with ${formatName(passkey)} any more. Your device may still offer it: delete it there too.`}
                  </p>
                </ConfirmButton>
              </ListRow>
            ))}
          </ul>
        )}
      </QueryView>
      {canUsePasskeys() ? (
        <div>
          <DialogButton
            label="Add a passkey…"
            dialog={(onClose) => <AddPasskeyDialog me={me} onClose={onClose} />}
          />
        </div>
      ) : (
        <p>This browser cannot use passkeys here.</p>
      )}
    </>
  );
}

/** Asks for the password before the device makes the passkey. */
function AddPasskeyDialog({ me, onClose }: { me: CurrentArtist; onClose: () => void }) {
  const state = usePasswordForm(async (password) => {
    if (await createPasskey(password)) onClose();
  });
  return (
    <Dialog title="Add a passkey" onClose={() => !state.isSubmitting && onClose()}>
      <div className="grid gap-5">
        <p>Type your password. Then your device asks you to make the passkey.</p>
        <PasswordForm state={state} email={me.email} submitLabel="Continue" onCancel={onClose} />
      </div>
    </Dialog>
  );
}

function formatName({ browser }: Passkey): string {
  return browser === null ? 'Passkey' : `Passkey of ${browser}`;
}

function formatDates({ created_at, last_used_at }: Passkey, zone: StudioZone): string {
  const added = `Added ${formatShortDay(created_at, zone)}`;
  return last_used_at === null
    ? `${added} · Not used yet`
    : `${added} · Last used ${formatShortDay(last_used_at, zone)}`;
}
