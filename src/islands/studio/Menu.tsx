import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';

export interface MenuAction {
  readonly label: string;
  readonly onSelect: () => void;
  readonly danger?: boolean;
}

interface MenuProps {
  /** For screen readers, such as `More for Small flash`. */
  label: string;
  actions: readonly MenuAction[];
}

/** The height of a phone's navigation bar, and a little more. */
const BOTTOM_BAR_HEIGHT_PX = 80;

/** A three-dots button with less usual actions. Escape, a click outside or lost focus close it. */
export function Menu({ label, actions }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [opensUpwards, setOpensUpwards] = useState(false);
  const [alignsLeft, setAlignsLeft] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();

  // Before the browser paints, so that the menu does not jump.
  useLayoutEffect(() => {
    const button = trigger.current?.getBoundingClientRect();
    const menu = list.current?.getBoundingClientRect();
    if (!isOpen || !button || !menu) return;
    const spaceBelow = innerHeight - BOTTOM_BAR_HEIGHT_PX - button.bottom;
    setOpensUpwards(menu.height > spaceBelow && menu.height < button.top);
    setAlignsLeft(button.right - menu.width < 0);
  }, [isOpen]);

  useEffect(() => {
    if (!isOpen) return;
    const closeOnOutsideClick = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && box.current?.contains(target))) setIsOpen(false);
    };
    document.addEventListener('pointerdown', closeOnOutsideClick);
    return () => document.removeEventListener('pointerdown', closeOnOutsideClick);
  }, [isOpen]);

  function closeAndFocusButton(): void {
    setIsOpen(false);
    trigger.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles key and focus events that bubble up from the buttons inside
    <div
      ref={box}
      className={`relative ${isOpen ? 'z-20' : ''}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault();
        closeAndFocusButton();
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !box.current?.contains(relatedTarget))
          setIsOpen(false);
      }}
    >
      <button
        ref={trigger}
        type="button"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className="grid size-11 cursor-pointer place-items-center rounded-md text-muted hover:bg-paper hover:text-ink aria-expanded:bg-paper aria-expanded:text-ink"
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="more" className="size-5 [stroke-width:3]" />
      </button>
      {isOpen && (
        <ul
          ref={list}
          id={id}
          className={`absolute min-w-52 rounded-lg border border-line bg-card p-1 shadow-lg ${
            opensUpwards ? 'bottom-full mb-1' : 'top-full mt-1'
          } ${alignsLeft ? 'left-0' : 'right-0'}`}
        >
          {actions.map((action) => (
            <li key={action.label}>
              <button
                type="button"
                className={`flex min-h-11 w-full cursor-pointer items-center rounded-md px-3 py-2 text-left font-semibold hover:bg-paper ${
                  action.danger ? 'text-danger' : ''
                }`}
                onClick={() => {
                  // Focus first: a dialog that opens returns the focus here when it closes.
                  closeAndFocusButton();
                  action.onSelect();
                }}
              >
                {action.label}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
