import type * as TestingLibrary from '@testing-library/dom';
import { vi } from 'vitest';
import type { Driver, InputAction } from './driver.ts';
import type { Target } from './targets.ts';
import { OPEN_PATH } from './watched_site.ts';

declare global {
  /** Loaded by watched_site.ts. */
  var TestingLibraryDom: typeof TestingLibrary;
}

const POLL = { timeout: 15_000, interval: 50 };

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a person does on a page, in any engine. All but `isVisible` wait for their target. */
export class Tab {
  readonly #driver: Driver;
  readonly #site: string;

  constructor(driver: Driver, site: string) {
    this.#driver = driver;
    this.#site = site;
  }

  open(path: string): Promise<void> {
    return this.#driver.open(new URL(path, this.#site).href);
  }

  back(): Promise<void> {
    return this.#driver.back();
  }

  /** The path and query of the open page. */
  path(): Promise<string> {
    return this.evaluate(() => location.pathname + location.search);
  }

  /** Waits until the path matches. */
  async waitForPath(pattern: RegExp): Promise<void> {
    await vi.waitFor(async () => {
      const path = await this.path();
      if (!pattern.test(path)) throw new Error(`${path} instead of ${pattern}`);
    }, POLL);
  }

  /** Waits until it is visible. Returns its text, each white space as one space. */
  see(target: Target): Promise<string> {
    return this.#on(target, ({ textContent }) => textContent.replace(/\s+/g, ' ').trim());
  }

  /** Whether it is visible now. */
  async isVisible(target: Target): Promise<boolean> {
    return (await this.#evaluate(`(${locate})(${toSource(target)}) !== null`)) === 'true';
  }

  async waitUntilGone(target: Target): Promise<void> {
    await vi.waitUntil(async () => !(await this.isVisible(target)), POLL);
  }

  /**
   * Waits until the page loads nothing more, also in the background. Firefox keeps no page in its page
   * cache that is left earlier.
   */
  async waitUntilLoaded(): Promise<void> {
    const countOpen = (path: string) => fetch(path).then((response) => response.json());
    await vi.waitUntil(async () => {
      // The page may load more as soon as it has read an answer, which it has before the second one.
      const counts = [
        await this.evaluate(countOpen, OPEN_PATH),
        await this.evaluate(countOpen, OPEN_PATH),
      ];
      return counts.every((count) => count === 0);
    }, POLL);
  }

  /** The value of a field. */
  value(target: Target): Promise<string> {
    return this.#on(target, (element) => String(Reflect.get(element, 'value')));
  }

  async press(target: Target): Promise<void> {
    await this.#driver.act('pointer', [...moveTo(await this.#reach(target)), ...PRESS]);
  }

  /** Presses the field and replaces its text. A time is written as its value. */
  async type(target: Target, text: string): Promise<void> {
    await this.press(target);
    if (await this.#on(target, setValue, text)) return;
    const types = ['keyDown', 'keyUp'] as const;
    const actions = [...text].flatMap((value) => types.map((type) => ({ type, value })));
    await this.#driver.act('key', actions);
  }

  /** Chooses an option of a select by its text or value. The engine's own menu is not opened. */
  async choose(target: Target, option: string): Promise<void> {
    await this.#reach(target);
    await this.#on(target, setValue, option);
  }

  /** Drags from the middle of one target to that of another, moved by `offset`. */
  async drag(from: Target, to: Target, { x, y }: Point = { x: 0, y: 0 }): Promise<void> {
    const start = await this.#reach(from);
    const middle = await this.#reach(to, (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    });
    const end = { x: middle.x + x, y: middle.y + y };
    const steps = Array.from({ length: DRAG_STEPS }, (_, index) => (index + 1) / DRAG_STEPS);
    await this.#driver.act('pointer', [
      ...moveTo(start),
      { type: 'pointerDown', button: 0 },
      { type: 'pause', duration: HOLD_MS },
      ...steps.flatMap((part) => [
        ...moveTo({ x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }),
        { type: 'pause', duration: FRAME_MS } as const,
      ]),
      { type: 'pause', duration: HOLD_MS },
      { type: 'pointerUp', button: 0 },
    ]);
  }

  /** Gives files to a file input, which may be invisible, once its island is hydrated. */
  async setFiles(selector: string, paths: readonly string[]): Promise<void> {
    const isReady = (one: string) =>
      document.querySelector(one)?.closest('astro-island[ssr]') === null;
    await vi.waitUntil(() => this.evaluate(isReady, selector), POLL);
    await this.#driver.setFiles(selector, paths);
  }

  /** Runs a function in the page, which can use nothing from outside of it. */
  async evaluate<A extends readonly unknown[], R>(
    run: (...values: A) => R | Promise<R>,
    ...values: A
  ): Promise<R> {
    return JSON.parse(await this.#evaluate(`(${run})(${values.map(toSource)})`));
  }

  /** The path and the visible text of the open page, for the message of a failed test. */
  describe(): Promise<string> {
    const read = () => {
      // biome-ignore lint/performance/useDomNodeTextContent: it leaves out what is invisible.
      const text = document.body.innerText;
      return `${location.pathname}${location.search}: ${text.slice(0, 1_500)}`;
    };
    return this.evaluate(read).catch(String);
  }

  /** Runs a function in the page once the target is visible. */
  #on<A extends readonly unknown[], R>(
    target: Target,
    run: (element: Element, ...values: A) => R | Promise<R>,
    ...values: A
  ): Promise<R> {
    const found = `((element) => { if (!element) throw new Error('not found'); return element; })((${locate})(${toSource(target)}))`;
    const call = `(${run})(${[found, ...values.map(toSource)]})`;
    return vi.waitFor(async () => {
      try {
        return JSON.parse(await this.#evaluate(call));
      } catch (error) {
        throw new Error(`${toSource(target)}: ${error}`);
      }
    }, POLL);
  }

  /** A point of the target, where it can be pressed if no other one is asked for, once it has stopped moving. */
  #reach(target: Target, find = findPressPoint): Promise<Point> {
    let before: Point | undefined;
    return vi.waitFor(async () => {
      const point = await this.#on(target, find);
      const isSteady = point.x === before?.x && point.y === before.y;
      before = point;
      if (!isSteady) throw new Error(`${toSource(target)} moves`);
      return point;
    }, POLL);
  }

  #evaluate(expression: string): Promise<string> {
    // A result that is not a promise comes at once: some engines never answer if the page is left meanwhile.
    return this.#driver.evaluate(`((result) => {
      const toJson = (value) => JSON.stringify(value ?? null);
      return result instanceof Promise ? result.then(toJson) : toJson(result);
    })(${expression})`);
  }
}

const DRAG_STEPS = 12;
const FRAME_MS = 20;
/** As long as a touch that begins a drag. */
const HOLD_MS = 300;
/** Takes more than a frame, in which something could move. */
const PRESS: readonly InputAction[] = [
  { type: 'pointerDown', button: 0 },
  { type: 'pause', duration: 50 },
  { type: 'pointerUp', button: 0 },
];

function moveTo({ x, y }: Point): InputAction[] {
  return [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }];
}

/** A value as an expression of JavaScript. */
function toSource(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(toSource)}]`;
  return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${toSource(one)}`)}}`;
}

// The functions below run in the page.

function locate(target: Target): Element | null {
  const { queryAllByRole, queryAllByLabelText, queryAllByText } = TestingLibraryDom;
  const find = ({ by, value, name, within }: Target): HTMLElement[] => {
    const roots = within ? find(within) : [document.body];
    return roots.flatMap((root) => {
      if (by === 'role')
        return queryAllByRole(root, String(value), name === undefined ? {} : { name });
      if (by === 'label') return queryAllByLabelText(root, value);
      if (by === 'text') return queryAllByText(root, value);
      const all = [...root.querySelectorAll<HTMLElement>(String(value))];
      return all.filter(({ textContent }) => textContent.includes(String(name ?? '')));
    });
  };
  const isVisible = (element: HTMLElement) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility !== 'hidden';
  };
  return find(target).find(isVisible) ?? null;
}

/** Where nothing covers an element of a page that has loaded and is hydrated. */
function findPressPoint(element: Element): Point {
  const findMiddle = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const findTop = ({ x, y }: Point) => document.elementFromPoint(x, y);
  const isOnTop = (top = findTop(findMiddle())) =>
    element.contains(top) || top?.closest('label')?.control === element;
  // Fonts may move what they change. Firefox loses input before the first paint.
  const isPainted = performance.getEntriesByName('first-contentful-paint').length > 0;
  if (!isPainted || document.readyState !== 'complete' || document.fonts.status !== 'loaded')
    throw new Error('the page is loading');
  if (element.closest('astro-island[ssr]')) throw new Error('its island is not hydrated');
  if (element.matches(':disabled')) throw new Error('it is disabled');
  if (!isOnTop()) element.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (!isOnTop()) throw new Error(`covered by ${findTop(findMiddle())?.outerHTML.slice(0, 200)}`);
  return findMiddle();
}

/**
 * Chooses an option of a select, or sets a field that no text is typed into.
 * @returns false for any other field, whose text is selected so that typing replaces it
 */
function setValue(element: Element, text: string): boolean {
  if (element instanceof HTMLSelectElement) {
    const option = [...element.options].find((one) => one.text === text || one.value === text);
    if (!option) throw new Error(`no option ${text}`);
    element.value = option.value;
  } else if (element.matches('[type=time]')) {
    // React watches the property of the element itself.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, text);
  } else {
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
      element.select();
    return false;
  }
  for (const type of ['input', 'change']) element.dispatchEvent(new Event(type, { bubbles: true }));
  return true;
}
