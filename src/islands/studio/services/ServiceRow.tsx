import type { Service } from '#contract/service.ts';
import { formatShortDuration } from '#domain/duration.ts';
import { formatPrice } from '#domain/price.ts';
import { openDialog } from '#stores/studio/dialog.ts';
import { services } from '#stores/studio/services.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { Button } from '../buttons.tsx';
import { Menu } from '../Menu.tsx';
import type { CardProps } from '../sortable/SortableList.tsx';

export function ServiceRow({ item: service, name, dragHandle, menuActions }: CardProps<Service>) {
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
