import { type ReactNode, useRef } from 'react';
import { useBarHeight } from './bar_height.ts';

interface BottomBarProps {
  /** Whether the bar stays in view; if not, it is an ordinary part of the page. */
  isPinned?: boolean;
  children: ReactNode;
}

/**
 * A bar at the bottom of the screen, in view while any part of the element around it is. Toasts and
 * focused fields stay above it (`--bar-height`). On a low screen it is an ordinary part of the page.
 */
export function BottomBar({ isPinned = true, children }: BottomBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useBarHeight(bar, isPinned);
  return (
    <div ref={bar} className={isPinned ? 'bottom-bar' : undefined}>
      {children}
    </div>
  );
}
