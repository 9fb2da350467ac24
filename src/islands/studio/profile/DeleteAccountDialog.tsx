import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { CurrentArtist } from '#contract/artist.ts';
import { pluralize } from '#domain/duration.ts';
import {
  $accountContents,
  $upcomingAppointments,
  type AccountContents,
  deleteAccount,
} from '#stores/studio/profile.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { Button, LinkButton } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';
import { PasswordForm, useProofForm } from '../PasswordForm.tsx';

export function DeleteAccountSection({ me }: { me: CurrentArtist }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <p className="text-muted">
        Your page and everything in your studio goes at once, and nothing of it is kept. It cannot
        be undone.
      </p>
      <p>
        <Button label="Delete the account…" look="danger" onClick={() => setIsOpen(true)} />
      </p>
      {isOpen && <DeleteAccountDialog me={me} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Lists the data that will be lost, and asks for the password. */
export function DeleteAccountDialog({ me, onClose }: { me: CurrentArtist; onClose: () => void }) {
  const state = useProofForm(deleteAccount);
  const isReady = useHasLoaded();

  function openExports(): void {
    onClose();
    location.hash = 'data';
  }

  return (
    <Dialog title="Delete your account?" onClose={() => state.isSubmitting || onClose()}>
      <div className="grid gap-5">
        <QueryView query={$accountContents} label="list of what is lost">
          {(counts) => (
            <div>
              <p>This goes at once and cannot be brought back:</p>
              <ul className="mt-2 grid list-disc gap-1 pl-5 wrap-anywhere">
                <li>{`your public page, ${location.host}/${me.username}/`}</li>
                {formatDeletedData(counts).map((text) => (
                  <li key={text}>{text}</li>
                ))}
                <li>your hours, your profile and your login</li>
              </ul>
            </div>
          )}
        </QueryView>
        <p>
          <LinkButton label="Export everything first" onClick={openExports} />
        </p>
        <UpcomingWarning />
        <PasswordForm
          state={state}
          email={me.email}
          submitLabel="Delete for good"
          busyLabel="Deleting…"
          cancelLabel="Keep my account"
          danger
          hidden={!isReady}
          onCancel={onClose}
        />
      </div>
    </Dialog>
  );
}

/** Whether the lists above the form have loaded or failed. Until then their height may change. */
function useHasLoaded(): boolean {
  const queries = [useStore($accountContents), useStore($upcomingAppointments)];
  const [hasLoaded, setHasLoaded] = useState(false);
  const areDone = queries.every(({ data, error }) => data !== undefined || error !== undefined);
  if (areDone && !hasLoaded) setHasLoaded(true);
  return hasLoaded || areDone;
}

function formatDeletedData(counts: AccountContents): string[] {
  return [
    formatCount(counts.designs, 'design'),
    formatCount(counts.pictures, 'portfolio picture'),
    formatCount(counts.services, 'service'),
    formatCount(counts.appointments, 'appointment'),
    counts.clients > 0
      ? `your list of ${formatCount(counts.clients, 'client')}, with your notes`
      : '',
  ].filter((text) => text !== '');
}

function formatCount(count: number, noun: string): string {
  return count === 0 ? '' : pluralize(count, noun);
}

function UpcomingWarning() {
  return (
    <QueryView query={$upcomingAppointments} label="upcoming appointments">
      {(appointments) => {
        const count = new Set(appointments.map(({ client }) => client.id)).size;
        if (count === 0) return null;
        return (
          <p className="border-l-4 border-danger pl-4 font-semibold">
            <span>
              {`${count === 1 ? '1 client has an upcoming appointment.' : `${count} clients have upcoming appointments.`} Those whose email address you have are told that it is cancelled. `}
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
