import {
  closestCenter,
  DndContext,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  rectSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { CSS as DndCss } from '@dnd-kit/utilities';
import { useStore } from '@nanostores/react';
import { type ComponentType, type ReactElement, useEffect, useRef, useState } from 'react';
import { type createOrderedList, END_POSITION } from '#stores/studio/ordered_list.ts';
import { Icon } from '../Icon.tsx';
import type { MenuAction } from '../Menu.tsx';

/** The props of an item's card; `menuActions` move and delete it. */
export interface CardProps<T> {
  readonly item: T;
  readonly name: string;
  readonly dragHandle: ReactElement;
  readonly menuActions: readonly MenuAction[];
}

export interface SortableListProps<T extends { readonly id: string }> {
  label: string;
  list: ReturnType<typeof createOrderedList<T>>;
  /** Those of the shown page. */
  items: readonly T[];
  /** Of the items on all pages. */
  count: number;
  layout: 'list' | 'grid';
  /** `position` counts from 0 over all pages of the list. */
  itemName: (item: T, position: number) => string;
  Card: ComponentType<CardProps<T>>;
}

const LIST_CLASSES = {
  list: 'grid gap-3',
  grid: 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-5 xl:grid-cols-4',
};

const INSTRUCTIONS =
  'To move it, press Space or Enter, then the arrow keys. Press Space or Enter again to leave it ' +
  'there, or Escape to put it back.';

/** A list whose order the artist changes by dragging, by keyboard, or from the menu of an item. */
export function SortableList<T extends { readonly id: string }>(props: SortableListProps<T>) {
  const { label, list, items, count, layout, itemName, Card } = props;
  const [announcement, setAnnouncement] = useState('');
  const skip = useStore(list.$skip);
  const listElement = useFocusOnRemoval(items.length);
  const ids = items.map(({ id }) => id);
  const sensors = useSensors(
    // In pixels: a shorter movement is a click.
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: arrowKeyCoordinates(ids) }),
  );
  const names = items.map((item, index) => itemName(item, skip + index));
  const nameById = (id: UniqueIdentifier) => names[ids.indexOf(String(id))] ?? '';
  const placeById = (id: UniqueIdentifier) =>
    `number ${skip + ids.indexOf(String(id)) + 1} of ${count}`;

  /** @param target as for `list.move`. @param newNumber the place after the move, counted from 1 */
  function moveTo({ id }: T, target: string | number, newNumber: number): void {
    list.move(id, target);
    setAnnouncement(`${nameById(id)} is now number ${newNumber} of ${count}.`);
  }

  function menuActions(item: T, index: number): MenuAction[] {
    const [up, down] = layout === 'list' ? ['up', 'down'] : ['earlier', 'later'];
    const position = skip + index;
    // A neighbour on another page of the list is known only by its position.
    const previous = items[index - 1]?.id ?? position - 1;
    const next = items[index + 1]?.id ?? position + 1;
    const towardsStart: MenuAction[] = [
      { label: `Move ${up}`, onSelect: () => moveTo(item, previous, position) },
      { label: 'Move to the start', onSelect: () => moveTo(item, 0, 1) },
    ];
    const towardsEnd: MenuAction[] = [
      { label: `Move ${down}`, onSelect: () => moveTo(item, next, position + 2) },
      { label: 'Move to the end', onSelect: () => moveTo(item, END_POSITION, count) },
    ];
    return [
      ...(position > 0 ? towardsStart : []),
      ...(position < count - 1 ? towardsEnd : []),
      { label: 'Delete', danger: true, onSelect: () => list.remove(item.id, names[index] ?? '') },
    ];
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={layout === 'list' ? [restrictToVerticalAxis] : []}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) list.move(String(active.id), String(over.id));
      }}
      accessibility={{
        screenReaderInstructions: { draggable: INSTRUCTIONS },
        announcements: {
          // Silent: dnd-kit calls `onDragOver` with the item's own position right after the start.
          onDragStart: () => undefined,
          onDragOver({ active, over }) {
            if (active.id === over?.id)
              return `Picked up ${nameById(active.id)}, ${placeById(active.id)}.`;
            return over ? `${nameById(active.id)} would be ${placeById(over.id)}.` : undefined;
          },
          onDragEnd: ({ active, over }) =>
            over ? `${nameById(active.id)} is now ${placeById(over.id)}.` : undefined,
          onDragCancel: ({ active }) => `${nameById(active.id)} is back, ${placeById(active.id)}.`,
        },
      }}
    >
      <SortableContext
        items={ids}
        strategy={layout === 'list' ? verticalListSortingStrategy : rectSortingStrategy}
      >
        <ul ref={listElement} tabIndex={-1} aria-label={label} className={LIST_CLASSES[layout]}>
          {items.map((item, index) => (
            <SortableItem
              key={item.id}
              Card={Card}
              item={item}
              name={names[index] ?? ''}
              menuActions={menuActions(item, index)}
            />
          ))}
        </ul>
      </SortableContext>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </DndContext>
  );
}

/** Focuses the list when the focused item is removed; the browser would focus the page's top. */
function useFocusOnRemoval(length: number) {
  const list = useRef<HTMLUListElement>(null);
  const previousLength = useRef(length);
  useEffect(() => {
    if (length < previousLength.current && document.activeElement === document.body)
      list.current?.focus({ preventScroll: true });
    previousLength.current = length;
  }, [length]);
  return list;
}

/** Left and right move an item in the order, also past the end of a row; up and down in the layout. */
function arrowKeyCoordinates(ids: readonly string[]): KeyboardCoordinateGetter {
  return (event, args) => {
    const step = ARROW_KEY_STEPS[event.code];
    if (step === undefined) return sortableKeyboardCoordinates(event, args);
    event.preventDefault();
    const { active, over, droppableRects } = args.context;
    const nextId = ids[ids.indexOf(String((over ?? active)?.id)) + step];
    const rect = nextId === undefined ? undefined : droppableRects.get(nextId);
    return rect && { x: rect.left, y: rect.top };
  };
}

const ARROW_KEY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

function restrictToVerticalAxis<T extends { x: number }>({ transform }: { transform: T }): T {
  return { ...transform, x: 0 };
}

interface SortableItemProps<T> extends Omit<CardProps<T>, 'dragHandle'> {
  Card: ComponentType<CardProps<T>>;
}

/** An item that its drag handle moves; the other items make room for it. */
function SortableItem<T extends { readonly id: string }>(props: SortableItemProps<T>) {
  const { Card, ...card } = props;
  const { id } = card.item;
  const sortable = useSortable({ id, attributes: { roleDescription: 'movable' } });
  const { attributes, listeners, transform, transition, isDragging } = sortable;
  const dragHandle = (
    <button
      ref={sortable.setActivatorNodeRef}
      {...attributes}
      {...listeners}
      type="button"
      aria-label={`Move ${card.name}`}
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
      <Card {...card} dragHandle={dragHandle} />
    </li>
  );
}
