import { useEffect, useRef, useState } from 'react';
import type { AdminArtist, RecoveryLink } from '#contract/admin.ts';
import type { CurrentArtist } from '#contract/artist.ts';
import { describeTimeZone } from '#domain/time/describe_time_zone.ts';
import { formatTime, isSameWallTime } from '#domain/time/format_time.ts';
import { deviceTimeZone } from '#domain/time/time_zone.ts';
import type { StudioZone } from '#domain/time/zone_offsets.ts';
import { makeRecoveryLink } from '#stores/studio/admin.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { Button } from '../buttons.tsx';
import { CopyButton } from '../CopyButton.tsx';
import { PasswordForm, useProofForm } from '../PasswordForm.tsx';

interface RecoveryLinkDialogProps {
  artist: AdminArtist;
  me: CurrentArtist;
  onClose: () => void;
}

/** Asks for the superuser's password, then shows the link until the dialog is closed. */
export function RecoveryLinkDialog({ artist, me, onClose }: RecoveryLinkDialogProps) {
  const [link, setLink] = useState<RecoveryLink | null>(null);
  const state = useProofForm(async (proof) => setLink(await makeRecoveryLink(artist, proof)));
  return (
    <Dialog
      title={`Recovery link for ${artist.username}`}
      // The link is shown only once: neither a click outside nor a close during the request may lose it.
      closesOutside={false}
      onClose={() => !state.isSubmitting && onClose()}
    >
      {link === null ? (
        <div className="grid gap-4">
          <p>
            {`With the link, ${artist.full_name} chooses a new password. It opens the account, so first make sure that it is really the artist who asks.`}
          </p>
          <p className="text-muted">
            {`It works once, within one hour. A mail to ${artist.email} tells them of it, and the action is recorded.`}
          </p>
          <PasswordForm
            state={state}
            email={me.email}
            label="Your own password"
            submitLabel="Make the link"
            busyLabel="Making the link…"
            onCancel={onClose}
          />
        </div>
      ) : (
        <ShownLink link={link} zone={me.studio} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface ShownLinkProps {
  link: RecoveryLink;
  zone: StudioZone;
  onClose: () => void;
}

function ShownLink({ link, zone, onClose }: ShownLinkProps) {
  const notice = useRef<HTMLParagraphElement>(null);
  // The focused button has disappeared with the form.
  useEffect(() => notice.current?.focus(), []);
  const time = formatTime(link.expires_at, zone);
  // The zone is named only to a superuser whose device shows another time than their studio.
  const isTimeHere = isSameWallTime(zone, deviceTimeZone() ?? zone, link.expires_at);
  const until = isTimeHere ? time : `${time}, ${describeTimeZone(zone.time_zone)}`;
  return (
    <div className="grid gap-4">
      <p ref={notice} tabIndex={-1}>
        {`Hand over this link. It works once, until ${until}, and is not shown again.`}
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
        <CopyButton text={link.url} label="Copy the link" look="main" />
        <Button label="Done" onClick={onClose} />
      </div>
    </div>
  );
}
