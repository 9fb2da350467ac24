/**
 * Runs in each page before the page's own scripts, and reports errors, and what moves while it is pressed.
 * @param path to which it sends the problems
 */
export function watchPage(path: string): void {
  const report = (problem: string) => {
    const line = `${location.pathname}: ${problem}`;
    try {
      // Synchronous, so that it has arrived when the test goes on.
      const call = new XMLHttpRequest();
      call.open('POST', path, false);
      call.send(line);
    } catch {
      // A page that is being left.
      navigator.sendBeacon(path, line);
    }
  };
  const describe = (value: unknown) =>
    value instanceof Error ? `${value.message} ${value.stack}` : String(value);
  addEventListener(
    'error',
    (event: Event) => {
      if (event instanceof ErrorEvent) report(`error: ${event.message} ${describe(event.error)}`);
      else if (event.target instanceof Element) report(`not loaded: ${event.target.outerHTML}`);
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) =>
    report(`unhandled rejection: ${describe(reason)}`),
  );
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    report(`policy violation: ${effectiveDirective} ${blockedURI} ${sample}`),
  );
  const log = console.error;
  console.error = (...values: unknown[]) => {
    report(`console error: ${values.map(describe).join(' ')}`);
    log(...values);
  };

  let pressed: { element: Element; box: DOMRect; x: number; y: number } | undefined;
  addEventListener(
    'pointerdown',
    ({ target, clientX: x, clientY: y }) => {
      if (!(target instanceof Element)) return;
      const element = target.closest('a, button, input, select, textarea, label') ?? target;
      pressed = { element, box: element.getBoundingClientRect(), x, y };
    },
    true,
  );
  addEventListener(
    'pointerup',
    ({ clientX, clientY }) => {
      if (!pressed || clientX !== pressed.x || clientY !== pressed.y) return;
      const { element, box } = pressed;
      const now = element.getBoundingClientRect();
      const moved = [now.x - box.x, now.y - box.y, now.width - box.width, now.height - box.height];
      // Engines round what they lay out.
      if (Math.hypot(...moved) > 0.5)
        report(`moved under a press: ${element.outerHTML} by ${moved}`);
    },
    true,
  );
}
