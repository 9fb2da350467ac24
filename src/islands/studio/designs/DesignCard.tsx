import type { Design } from '#contract/design.ts';
import { formatPrice } from '#domain/money/price.ts';
import { DESIGN_STATUSES } from '#domain/studio/artwork.ts';
import { formatDesignSize } from '#domain/studio/design.ts';
import { designs } from '#stores/studio/designs.ts';
import { visitorLocale } from '#stores/visitor_locale.ts';
import { Picture } from '../../pictures/Picture.tsx';
import { AddDescriptionButton, CardFooter } from '../artwork/CardParts.tsx';
import type { MenuAction } from '../Menu.tsx';
import type { CardProps } from '../sortable/SortableList.tsx';
import { DESIGN_STATUS_LABELS } from './labels.ts';

export function DesignCard({ item: design, name, dragHandle, menuActions }: CardProps<Design>) {
  const { id, description, status, image, price } = design;
  const size = formatDesignSize(design, visitorLocale());
  const editionsText = formatEditions(design);
  const isAvailable = status === 'available';
  return (
    <article className="card flex h-full flex-col">
      <div className="relative aspect-4/5 overflow-hidden rounded-t-xl border-b border-line bg-flash">
        <Picture
          image={image}
          sizes="(width >= 80rem) 15rem, (width >= 40rem) 30vw, 46vw"
          className={`size-full ${isAvailable ? '' : 'opacity-50'}`}
          fit="contain"
        />
        {!isAvailable && (
          <span className="absolute top-2 left-2 rounded-full border border-field bg-card px-2.5 py-0.5 text-sm font-semibold">
            {DESIGN_STATUS_LABELS[status].name}
          </span>
        )}
      </div>
      <div className="grid flex-1 content-start gap-1 px-3 pt-3 sm:px-4">
        <h2 className="text-lg wrap-anywhere">{name}</h2>
        {description ? (
          <p className="line-clamp-3 text-sm whitespace-pre-line text-muted">{description}</p>
        ) : (
          <AddDescriptionButton id={id} name={name} />
        )}
        {price && <p className="font-semibold">{formatPrice(price, visitorLocale())}</p>}
        {size && <p className="text-sm text-muted">{size}</p>}
        {editionsText && <p className="text-sm text-muted">{editionsText}</p>}
      </div>
      <CardFooter
        id={id}
        name={name}
        dragHandle={dragHandle}
        actions={[...statusActions(design), ...menuActions]}
      />
    </article>
  );
}

/** The other statuses of the design; a design cannot become a draft again. */
function statusActions(design: Design): MenuAction[] {
  const others = DESIGN_STATUSES.filter((other) => other !== design.status && other !== 'draft');
  return others.map((other) => {
    const isPublication = design.status === 'draft' && other === 'available';
    return {
      label: isPublication ? 'Publish' : DESIGN_STATUS_LABELS[other].actionLabel,
      onSelect: () => designs.changeField(design, 'status', { status: other }),
    };
  });
}

/** Such as `1 of 3 left`; null for a design without limit. */
function formatEditions({ status, editions, left }: Design): string | null {
  if (editions === null || left === null) return null;
  if (left > 0) return `${left} of ${editions} left`;
  // The label on the picture says it already.
  return status === 'claimed' ? null : 'Claimed';
}
