import { useEffect } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import type { ClientRecord } from '#contract/client.ts';
import { foundClients } from '#stores/studio/clients.ts';
import { TextField } from '../../forms/fields.tsx';
import { LinkButton } from '../buttons.tsx';
import { QueryView } from '../LoadableView.tsx';
import { PhoneTextField } from '../PhoneTextField.tsx';
import { SearchField } from '../SearchField.tsx';
import type { NewAppointmentForm } from './appointment_form.ts';
import { clientName } from './labels.ts';

/** The client of a new appointment: a new one, or one of the artist's clients. */
export function ClientFields() {
  const { register } = useFormContext<NewAppointmentForm>();
  const who = useWatch<NewAppointmentForm, 'who'>({ name: 'who' });
  return (
    <fieldset className="mb-2 grid gap-3">
      <legend className="mb-2 font-semibold">Client</legend>
      <div className="flex flex-wrap gap-2">
        {Object.entries(CLIENT_CHOICES).map(([value, label]) => (
          <label
            key={value}
            className="flex min-h-11 cursor-pointer items-center gap-2 rounded-lg border border-field px-4 has-checked:border-main has-checked:bg-main has-checked:text-on-main"
          >
            <input type="radio" value={value} className="accent-ink" {...register('who')} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      {who === 'known' ? (
        <ExistingClientFields />
      ) : (
        <div className="grid gap-x-4 sm:grid-cols-2">
          <p className="mb-2 text-sm text-muted sm:col-span-2">A name or an email is enough.</p>
          <TextField name="client.first_name" label="First name" autoComplete="off" />
          <TextField name="client.last_name" label="Last name" autoComplete="off" />
          <TextField
            name="client.email"
            label="Email"
            type="email"
            autoComplete="off"
            spellCheck={false}
          />
          <PhoneTextField name="client.phone_number" label="Phone (optional)" />
          <TextField name="client.pronouns" label="Pronouns (optional)" autoComplete="off" />
        </div>
      )}
    </fieldset>
  );
}

const CLIENT_CHOICES = { new: 'Someone new', known: 'One of my clients' };

function ExistingClientFields() {
  const { setValue, formState } = useFormContext<NewAppointmentForm>();
  const [selectedId, selectedName] = useWatch<NewAppointmentForm, ['client_id', 'client_name']>({
    name: ['client_id', 'client_name'],
  });

  function selectClient(client_id: string, client_name: string): void {
    setValue('client_id', client_id, { shouldDirty: true, shouldValidate: client_id !== '' });
    setValue('client_name', client_name);
  }

  if (selectedId !== '')
    return (
      <p className="flex flex-wrap items-center justify-between gap-x-4 rounded-lg border border-line px-4 py-1">
        <span className="font-semibold wrap-anywhere">{selectedName}</span>
        <LinkButton label="Pick another" onClick={() => selectClient('', '')} />
      </p>
    );
  return (
    <>
      <ClientSearch onSelect={(client) => selectClient(client.id, clientName(client))} />
      <p role="alert" className="field-error min-h-6">
        {formState.errors.client_id?.message}
      </p>
    </>
  );
}

function ClientSearch({ onSelect }: { onSelect: (client: ClientRecord) => void }) {
  useEffect(() => foundClients.open({ search: '', skip: 0 }), []);
  return (
    <div className="grid gap-2">
      <SearchField
        list={foundClients}
        id="find-client"
        label="Find a client"
        placeholder="Name, email or phone"
      />
      <QueryView query={foundClients.$query} label="clients">
        {({ data: clients }) =>
          clients.length === 0 ? (
            <p className="text-muted">Nobody found.</p>
          ) : (
            <ul className="grid gap-1" aria-label="Clients found">
              {clients.map((client) => (
                <li key={client.id}>
                  <button
                    type="button"
                    className="min-h-11 w-full cursor-pointer rounded-lg border border-line px-4 py-2 text-left wrap-anywhere hover:border-ink"
                    onClick={() => onSelect(client)}
                  >
                    <span className="font-semibold">{clientName(client)}</span>
                    {client.email !== null && (
                      <span className="block text-sm text-muted">{client.email}</span>
                    )}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </div>
  );
}
