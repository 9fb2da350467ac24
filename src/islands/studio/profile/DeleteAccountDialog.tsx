import { useStore } from '@nanostores/react';
import type { CurrentArtist } from '#contract/artist.ts';
import { pluralize } from '#domain/time/duration.ts';
import { $accountContents, $upcomingAppointments, deleteAccount } from '#stores/studio/profile.ts';
import { DialogButton, LinkButton } from '../buttons.tsx';
import { QueryView, useHaveLoaded } from '../LoadableView.tsx';
import { ProofDialog } from '../ProofButton.tsx';

/** Says what is lost, and has the button that opens the dialog. */
export function DeleteAccountSection({ me }: { me: CurrentArtist }) {
  return (
    <>
      <p className="text-muted">
        Your page and everything in your studio goes at once, and nothing of it is kept. It cannot
        be undone.
      </p>
      <div>
        <DialogButton
          label="Delete the account…"
          look="danger"
          dialog={(onClose) => <DeleteAccountDialog me={me} onClose={onClose} />}
        />
      </div>
    </>
  );
}

/** Lists the data that will be lost, and asks for the password. */
export function DeleteAccountDialog({ me, onClose }: { me: CurrentArtist; onClose: () => void }) {
  // While the lists above the form are loading, they would move it.
  const isReady = useHaveLoaded(useStore($accountContents), useStore($upcomingAppointments));

  function openExports(): void {
    onClose();
    // The section of the profile page that exports everything.
    location.hash = 'data';
  }

  return (
    <ProofDialog
      title="Delete your account?"
      email={me.email}
      confirmLabel="Delete for good"
      busyLabel="Deleting…"
      cancelLabel="Keep my account"
      danger
      hidden={!isReady}
      onConfirm={deleteAccount}
      onClose={onClose}
    >
      <QueryView query={$accountContents} label="list of what is lost">
        {(contents) => (
          <div>
            <p>This goes at once and cannot be brought back:</p>
            <ul className="mt-2 grid list-disc gap-1 pl-5 wrap-anywhere">
              <li>{`your public page, ${location.host}/${me.username}/`}</li>
              {contents.map(
                ({ noun, count }) => count > 0 && <li key={noun}>{formatLost(noun, count)}</li>,
              )}
              <li>your hours, your profile and your login</li>
            </ul>
          </div>
        )}
      </QueryView>
      <p>
        <LinkButton label="Export everything first" onClick={openExports} />
      </p>
      <UpcomingWarning />
    </ProofDialog>
  );
}

function formatLost(noun: string, count: number): string {
  const items = pluralize(count, noun);
  return noun === 'client' ? `your list of ${items}, with your notes` : items;
}

function UpcomingWarning() {
  return (
    <QueryView query={$upcomingAppointments} label="upcoming appointments">
      {(appointments) => {
        const count = new Set(appointments.map(({ client }) => client.id)).size;
        if (count === 0) return null;
        const have = count === 1 ? 'has an upcoming appointment' : 'have upcoming appointments';
        return (
          <p className="border-l-4 border-danger pl-4 font-semibold">
            <span>
              {`${pluralize(count, 'client')} ${have}. Those whose email address you have are told that it is cancelled. `}
            </span>
            <a href="/studio/appointments" className="link">
              See appointments
            </a>
          </p>
        );
      }}
    </QueryView>
  );
}
