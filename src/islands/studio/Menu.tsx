import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';

export interface MenuAction {
  readonly label: string;
  readonly onSelect: () => void;
  readonly danger?: boolean;
}

interface MenuProps {
  /** What can be done here, as in `More for Small flash`. */
  label: string;
  actions: readonly MenuAction[];
}

/** The height of a phone's navigation, in pixels, and a little. */
const BOTTOM_BAR_HEIGHT_PX = 80;

/** Less usual things to do, behind three dots. Escape, a click elsewhere and leaving it close it. */
export function Menu({ label, actions }: MenuProps) {
  const [open, setOpen] = useState(false);
  const [upwards, setUpwards] = useState(false);
  const [fromTheLeft, setFromTheLeft] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    const [button, menu] = [trigger.current, list.current].map((one) =>
      one?.getBoundingClientRect(),
    );
    if (!open || !button || !menu) return;
    const below = innerHeight - BOTTOM_BAR_HEIGHT_PX - button.bottom;
    setUpwards(menu.height > below && menu.height < button.top);
    setFromTheLeft(button.right - menu.width < 0);
  }, [open]);

  useEffect(() => {
    if (!open) return;
    const onPointer = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [open]);

  function choose({ onSelect: run }: MenuAction): void {
    setOpen(false);
    // Before it runs: a dialog gives the focus back to where it was.
    trigger.current?.focus();
    run();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears what the buttons inside do not handle
    <div
      ref={box}
      className={`relative ${open ? 'z-20' : ''}`}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.preventDefault();
        setOpen(false);
        trigger.current?.focus();
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !box.current?.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={trigger}
        type="button"
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className="grid size-11 cursor-pointer place-items-center rounded-md text-muted hover:bg-paper hover:text-ink aria-expanded:bg-paper aria-expanded:text-ink"
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" className="size-5 [stroke-width:3]" />
      </button>
      {open && (
        <ul
          ref={list}
          id={id}
          className={`absolute min-w-52 rounded-lg border border-line bg-card p-1 shadow-lg ${
            upwards ? 'bottom-full mb-1' : 'top-full mt-1'
          } ${fromTheLeft ? 'left-0' : 'right-0'}`}
        >
          {actions.map((action) => (
            <li key={action.label}>
              <button
                type="button"
                className={`flex min-h-11 w-full cursor-pointer items-center rounded-md px-3 py-2 text-left font-semibold hover:bg-paper ${
                  action.danger ? 'text-danger' : ''
                }`}
                onClick={() => choose(action)}
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
