import {
  closestCenter,
  DndContext,
  type DragEndEvent,
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
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { END_POSITION } from '#stores/studio/ordered_list.ts';
import type { MenuAction } from '../Menu.tsx';
import { SortableItem } from './SortableItem.tsx';

interface SortableListProps<T> {
  /** What is listed, for readers. */
  label: string;
  items: readonly T[];
  /** How many come before the first of these, and how many there are in all. */
  skip: number;
  count: number;
  layout: 'list' | 'grid';
  className: string;
  itemName: (item: T) => string;
  /** `target` is the id of whose place it takes, or its place in the whole list, from 0. */
  onMove: (id: string, target: string | number) => void;
  /** One item, with the grip to drag it by and what its menu offers for moving it. */
  children: (item: T, grip: ReactNode, moves: readonly MenuAction[]) => ReactNode;
}

const INSTRUCTIONS =
  'To move it, press Space or Enter, then the arrow keys. Press Space or Enter again to leave it ' +
  'there, or Escape to put it back.';

/** Things in an order that is changed by dragging, by keyboard, or from each one's menu. */
export function SortableList<T extends { readonly id: string }>({
  label,
  items,
  skip,
  count,
  layout,
  className,
  itemName: nameOf,
  onMove,
  children,
}: SortableListProps<T>) {
  const [said, setSaid] = useState('');
  const list = useFocusOnRemoval(items.length);
  const ids = items.map(({ id }) => id);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: arrowKeyCoordinates(ids) }),
  );
  const name = (id: UniqueIdentifier) => {
    const item = items.find((one) => one.id === id);
    return item ? nameOf(item) : '';
  };
  const place = (id: UniqueIdentifier) =>
    `number ${skip + ids.indexOf(String(id)) + 1} of ${count}`;

  function drop({ active, over }: DragEndEvent): void {
    if (over && over.id !== active.id) onMove(String(active.id), String(over.id));
  }

  function moves(index: number): MenuAction[] {
    const item = items[index];
    if (!item) return [];
    const [up, down] = layout === 'list' ? ['up', 'down'] : ['earlier', 'later'];
    const number = skip + index;
    const go = (target: string | number, becomes: number) => () => {
      onMove(item.id, target);
      setSaid(`${nameOf(item)} is now number ${becomes} of ${count}.`);
    };
    const ahead: MenuAction[] = [
      { label: `Move ${up}`, onSelect: go(items[index - 1]?.id ?? number - 1, number) },
      { label: 'Move to the start', onSelect: go(0, 1) },
    ];
    const behind: MenuAction[] = [
      { label: `Move ${down}`, onSelect: go(items[index + 1]?.id ?? number + 1, number + 2) },
      { label: 'Move to the end', onSelect: go(END_POSITION, count) },
    ];
    return [...(number > 0 ? ahead : []), ...(number < count - 1 ? behind : [])];
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={layout === 'list' ? [restrictToVerticalAxis] : []}
      onDragEnd={drop}
      accessibility={{
        screenReaderInstructions: { draggable: INSTRUCTIONS },
        announcements: {
          // It is over its own place first.
          onDragStart: () => undefined,
          onDragOver({ active, over }) {
            if (active.id === over?.id) return `Picked up ${name(active.id)}, ${place(active.id)}.`;
            return over ? `${name(active.id)} would be ${place(over.id)}.` : undefined;
          },
          onDragEnd: ({ active, over }) =>
            over ? `${name(active.id)} is now ${place(over.id)}.` : undefined,
          onDragCancel: ({ active }) => `${name(active.id)} is back, ${place(active.id)}.`,
        },
      }}
    >
      <SortableContext
        items={ids}
        strategy={layout === 'list' ? verticalListSortingStrategy : rectSortingStrategy}
      >
        <ul ref={list} tabIndex={-1} aria-label={label} className={className}>
          {items.map((item, index) => (
            <SortableItem key={item.id} id={item.id} name={nameOf(item)}>
              {(grip) => children(item, grip, count > 1 ? moves(index) : [])}
            </SortableItem>
          ))}
        </ul>
      </SortableContext>
      <p role="status" className="sr-only">
        {said}
      </p>
    </DndContext>
  );
}

/** When what had the focus has left the list, the list takes it: not the top of the page. */
function useFocusOnRemoval(length: number) {
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(length);
  useEffect(() => {
    if (length < before.current && document.activeElement === document.body)
      list.current?.focus({ preventScroll: true });
    before.current = length;
  }, [length]);
  return list;
}

/** Left and right go along the order, also over the end of a row; up and down go as one sees. */
function arrowKeyCoordinates(ids: readonly string[]): KeyboardCoordinateGetter {
  return (event, args) => {
    const step = ARROW_KEY_STEPS[event.code];
    if (step === undefined) return sortableKeyboardCoordinates(event, args);
    event.preventDefault();
    const { active, over, droppableRects } = args.context;
    const next = ids[ids.indexOf(String((over ?? active)?.id)) + step];
    const rect = next === undefined ? undefined : droppableRects.get(next);
    return rect && { x: rect.left, y: rect.top };
  };
}

const ARROW_KEY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

function restrictToVerticalAxis<T extends { x: number }>({ transform }: { transform: T }): T {
  return { ...transform, x: 0 };
}
