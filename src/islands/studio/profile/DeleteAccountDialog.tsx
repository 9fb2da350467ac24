import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { FormProvider } from 'react-hook-form';
import * as z from 'zod/mini';
import { ApiError } from '#client/http.ts';
import { type CurrentArtist, PasswordChange } from '#contract/artist.ts';
import {
  $accountContents,
  $upcomingAppointments,
  type AccountContents,
  deleteAccount,
  reloadUpcoming,
} from '#stores/studio/profile.ts';
import { Dialog } from '../../dialog/Dialog.tsx';
import { BusyButton } from '../../forms/BusyButton.tsx';
import { PasswordField } from '../../forms/fields.tsx';
import { showServerErrors, useValidatedForm } from '../../forms/validated_form.ts';
import { LoadableView } from '../LoadableView.tsx';
import { PasswordManagerUsername } from './PasswordManagerUsername.tsx';

const PasswordSchema = z.object({ password: PasswordChange.shape.current_password });

interface DeleteAccountDialogProps {
  me: CurrentArtist;
  onClose: () => void;
}

/** Says what is lost, and asks for the password. */
export function DeleteAccountDialog({ me, onClose }: DeleteAccountDialogProps) {
  const form = useValidatedForm(PasswordSchema, { password: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const { isSubmitting } = form.formState;
  const isRead = useHasLoaded();

  const submit = form.handleSubmit(async ({ password }) => {
    setProblem(null);
    try {
      await deleteAccount(me, password);
    } catch (error) {
      if (error instanceof ApiError && error.status === 400)
        form.setError(
          'password',
          { type: 'server', message: 'That is not your password' },
          { shouldFocus: true },
        );
      else setProblem(showServerErrors(form, error));
    }
  });

  return (
    <Dialog title="Delete your account?" onClose={() => isSubmitting || onClose()}>
      <div className="grid gap-5">
        <DeletedData username={me.username} />
        <UpcomingWarning />
        <FormProvider {...form}>
          <form hidden={!isRead} noValidate onSubmit={submit} className="grid gap-2">
            <PasswordManagerUsername email={me.email} />
            <PasswordField
              name="password"
              label="Your password"
              autoComplete="current-password"
              required
            />
            <div role="alert" className="text-danger">
              {problem && <p className="pb-3">{problem}</p>}
            </div>
            <div className="flex flex-wrap gap-3">
              <BusyButton type="submit" busy={isSubmitting} className="button button-danger">
                {isSubmitting ? 'Deleting…' : 'Delete for good'}
              </BusyButton>
              <button type="button" className="button" disabled={isSubmitting} onClick={onClose}>
                Keep my account
              </button>
            </div>
          </form>
        </FormProvider>
      </div>
    </Dialog>
  );
}

/** Whether what stands above the buttons was read, or could not be: nothing moves them afterwards. */
function useHasLoaded(): boolean {
  const reads = [useStore($accountContents), useStore($upcomingAppointments)];
  const [isRead, setRead] = useState(false);
  const isThrough = reads.every(({ data, error }) => data !== undefined || error !== undefined);
  if (isThrough && !isRead) setRead(true);
  return isRead || isThrough;
}

function DeletedData({ username }: { username: string }) {
  const belongings = useStore($accountContents);
  return (
    <LoadableView
      value={belongings}
      label="list of what is lost"
      onRetry={$accountContents.revalidate}
    >
      {(counts) => (
        <div>
          <p>This goes at once and cannot be brought back:</p>
          <ul className="mt-2 grid list-disc gap-1 pl-5 wrap-anywhere">
            <li>your public page, {`${location.host}/${username}/`}</li>
            {formatDeletedData(counts).map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
            <li>your hours, your profile and your login</li>
          </ul>
        </div>
      )}
    </LoadableView>
  );
}

function formatDeletedData(counts: AccountContents): string[] {
  return [
    formatCount(counts.designs, 'design', 'designs'),
    formatCount(counts.pictures, 'portfolio picture', 'portfolio pictures'),
    formatCount(counts.services, 'service', 'services'),
    formatCount(counts.appointments, 'appointment', 'appointments'),
    counts.clients > 0
      ? `your list of ${formatCount(counts.clients, 'client', 'clients')}, with your notes`
      : '',
  ].filter((loss) => loss !== '');
}

function formatCount(count: number, one: string, many: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

function UpcomingWarning() {
  const upcoming = useStore($upcomingAppointments);
  return (
    <LoadableView value={upcoming} label="upcoming appointments" onRetry={reloadUpcoming}>
      {(ahead) => {
        const clients = new Set(ahead.map(({ client }) => client.id)).size;
        return clients === 0 ? null : <UpcomingClientsNotice clients={clients} />;
      }}
    </LoadableView>
  );
}

function UpcomingClientsNotice({ clients }: { clients: number }) {
  return (
    <p className="border-l-4 border-danger pl-4 font-semibold">
      {clients === 1
        ? '1 client has an upcoming appointment.'
        : `${clients} clients have upcoming appointments.`}{' '}
      Those whose email address you have are told that it is cancelled.{' '}
      <a href="/studio/appointments" className="link">
        See appointments
      </a>
    </p>
  );
}
