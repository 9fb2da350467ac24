import { type RefObject, useLayoutEffect } from 'react';

/**
 * Sets the height of a bar at the bottom of the screen (`--bar-height`), so that toasts and
 * focused fields stay above it.
 * @param isShown whether the bar is at the bottom of the screen now
 */
export function useBarHeight(bar: RefObject<HTMLElement | null>, isShown: boolean): void {
  // After each render, so that toasts that are rendered together with the bar find its new height.
  useLayoutEffect(() => {
    if (isShown && bar.current) setBarHeight(bar.current);
  });
  useLayoutEffect(() => {
    const element = bar.current;
    if (!isShown || element === null) return;
    // Its text wraps differently when a phone is turned.
    const observer = new ResizeObserver(() => setBarHeight(element));
    observer.observe(element);
    return () => {
      observer.disconnect();
      document.documentElement.style.removeProperty('--bar-height');
    };
  }, [bar, isShown]);
}

function setBarHeight({ offsetHeight }: HTMLElement): void {
  document.documentElement.style.setProperty('--bar-height', `${offsetHeight}px`);
}
