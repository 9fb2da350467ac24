import { useStore } from '@nanostores/react';
import * as z from 'zod/mini';
import type { CurrentArtist } from '#contract/artist.ts';
import { NewService, type Service } from '#contract/service.ts';
import { formatPrice } from '#domain/money/price.ts';
import { formatShortDuration } from '#domain/time/duration.ts';
import { $dialog, openDialog } from '#stores/studio/dialog.ts';
import { addService, saveService, services } from '#stores/studio/services.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { CheckboxField } from '../../forms/CheckboxField.tsx';
import { TextAreaField, TextField } from '../../forms/fields.tsx';
import { Button } from '../buttons.tsx';
import { createStudioPage } from '../create_studio_page.tsx';
import { FormDialog } from '../FormDialog.tsx';
import { Menu } from '../Menu.tsx';
import { PriceFields } from '../money/PriceFields.tsx';
import { priceFormSchema, toPriceForm } from '../money/price_form.ts';
import { OrderedListView } from '../sortable/OrderedListView.tsx';
import type { CardProps } from '../sortable/SortableList.tsx';
import { DurationField } from './DurationField.tsx';

export default createStudioPage('services', Services, {
  actions: <Button label="Add service" icon="plus" look="main" onClick={() => openDialog('new')} />,
});

function Services({ me }: { me: CurrentArtist }) {
  const dialogId = useStore($dialog);
  return (
    <>
      {me.scheduling_type !== 'service' && (
        <p className="card max-w-prose border-l-4 border-l-main p-4">
          <span>
            {me.scheduling_type === 'managed'
              ? 'Clients send you requests and you set the times, so they do not book services themselves. '
              : 'Clients can book services once you have chosen how they book. '}
          </span>
          <a href="/studio/profile#booking" className="link">
            How clients book
          </a>
        </p>
      )}
      <OrderedListView
        label="services"
        listLabel="Services"
        intro="What clients can book, in the order they see it."
        list={services}
        layout="list"
        emptyTitle="No services yet"
        emptyText="A service is something clients can book: a small flash piece, a full-day session, a consultation. Give it a name and a length; your open hours do the rest."
        emptyAction={
          <Button label="Add your first service" look="main" onClick={() => openDialog('new')} />
        }
        itemName={({ name }) => name}
        dialog={(service) => <ServiceDialog service={service} artistCurrency={me.currency} />}
        Card={ServiceRow}
      />
      {dialogId === 'new' && <ServiceDialog service={null} artistCurrency={me.currency} />}
    </>
  );
}

function ServiceRow({ item: service, name, dragHandle, menuActions }: CardProps<Service>) {
  const { id, description, duration, is_available, price } = service;
  return (
    <article className="card grid grid-cols-[auto_1fr_auto_auto] items-center gap-x-1 p-2 sm:gap-x-3 sm:p-3">
      <div className="sm:row-span-2">{dragHandle}</div>
      <div className="min-w-0 sm:pt-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className={`text-xl wrap-anywhere ${is_available ? '' : 'text-muted'}`}>{name}</h2>
          {!is_available && (
            <span className="rounded-full border border-field px-2.5 py-0.5 text-sm font-semibold text-muted">
              Hidden
            </span>
          )}
        </div>
      </div>
      <Button
        label="Edit"
        className="max-sm:border-transparent max-sm:px-3 sm:row-span-2"
        aria-label={`Edit ${name}`}
        onClick={() => openDialog(id)}
      />
      <div className="sm:row-span-2">
        <Menu
          label={`More for ${name}`}
          actions={[
            {
              label: is_available ? 'Hide from clients' : 'Show to clients',
              onSelect: () =>
                services.changeField(service, 'is_available', { is_available: !is_available }),
            },
            ...menuActions,
          ]}
        />
      </div>
      <div className="col-span-3 col-start-2 grid min-w-0 gap-1 pr-2 pb-2 sm:col-span-1">
        <p className="font-semibold text-muted">{formatShortDuration(duration)}</p>
        {price && <p className="font-semibold">{formatPrice(price, visitorLocale())}</p>}
        {description && (
          <p className="line-clamp-3 max-w-prose whitespace-pre-line text-muted">{description}</p>
        )}
        {!is_available && <p className="text-sm text-muted">Clients do not see it.</p>}
      </div>
    </article>
  );
}

const DEFAULT_MINUTES = 60;

interface ServiceDialogProps {
  service: Service | null;
  /** The currency of a new price; a stored price keeps its own. */
  artistCurrency: string;
}

/** Edits a service; null adds a new one. */
function ServiceDialog({ service, artistCurrency }: ServiceDialogProps) {
  const price = service?.price ?? null;
  const currency = price?.currency ?? artistCurrency;
  const locale = visitorLocale();
  return (
    <FormDialog
      title={service ? 'Edit service' : 'New service'}
      schema={z.extend(NewService, { price: priceFormSchema(currency, locale) })}
      defaultValues={{
        name: service?.name ?? '',
        description: service?.description ?? '',
        duration: service?.duration ?? DEFAULT_MINUTES,
        is_available: service?.is_available ?? true,
        price: toPriceForm(price, locale),
      }}
      draftName={`service ${service?.id}`}
      saveLabel={service ? 'Save' : 'Add service'}
      onSave={(values, changes) =>
        service ? saveService(service.id, changes) : addService(values)
      }
    >
      <TextField name="name" label="Name" hint="Such as Small flash, or Full day" required />
      <DurationField name="duration" />
      <PriceFields name="price" currency={currency} />
      <TextAreaField
        name="description"
        label="Description"
        hint="What it is for, how to prepare (optional)"
        rows={4}
      />
      <CheckboxField
        name="is_available"
        label="Clients can book it"
        hint="Otherwise it is hidden, and only you see it."
      />
    </FormDialog>
  );
}
