import { useSortable } from '@dnd-kit/sortable';
import { CSS as DndCss } from '@dnd-kit/utilities';
import type { ReactElement } from 'react';
import { Icon } from '../Icon.tsx';

interface SortableItemProps {
  id: string;
  name: string;
  children: (dragHandle: ReactElement) => ReactElement;
}

/** An item that its drag handle moves; the other items make room for it. */
export function SortableItem({ id, name, children }: SortableItemProps) {
  const sortable = useSortable({ id, attributes: { roleDescription: 'movable' } });
  const { attributes, listeners, transform, transition, isDragging } = sortable;
  const dragHandle = (
    <button
      ref={sortable.setActivatorNodeRef}
      {...attributes}
      {...listeners}
      type="button"
      aria-label={`Move ${name}`}
      className="grid size-11 shrink-0 cursor-grab touch-none place-items-center rounded-md text-muted hover:bg-paper hover:text-ink active:cursor-grabbing"
    >
      <Icon name="dragHandle" className="size-5 [stroke-width:3]" />
    </button>
  );
  return (
    <li
      ref={sortable.setNodeRef}
      style={{ transform: DndCss.Translate.toString(transform), transition }}
      className={isDragging ? 'relative z-10 rounded-xl shadow-lg' : ''}
    >
      {children(dragHandle)}
    </li>
  );
}
