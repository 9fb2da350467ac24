/** An open page of an engine, by the least that its protocol can do. */
export interface Driver {
  /** Opens the URL and waits until it has loaded. */
  open(url: string): Promise<void>;
  back(): Promise<void>;
  /** What the page's expression, awaited, gives: JSON. */
  evaluate(expression: string): Promise<string>;
  /** Sends input one after the other, as the "actions" of W3C's WebDriver describe it. */
  act(source: InputSource): Promise<void>;
  setFiles(selector: string, paths: readonly string[]): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Coordinates are pixels of the viewport, durations milliseconds. */
export type InputSource =
  | { readonly type: 'key'; readonly id: 'keys'; readonly actions: readonly KeyAction[] }
  | { readonly type: 'pointer'; readonly id: 'mouse'; readonly actions: readonly PointerAction[] };
export type KeyAction = { readonly type: 'keyDown' | 'keyUp'; readonly value: string };
export type PointerAction =
  | {
      readonly type: 'pointerMove';
      readonly x: number;
      readonly y: number;
      readonly duration: number;
    }
  | { readonly type: 'pointerDown' | 'pointerUp'; readonly button: 0 }
  | { readonly type: 'pause'; readonly duration: number };

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** All browsers are in the zone of the artists that tests create, and speak English. */
export const BROWSER_ENV = {
  ...process.env,
  TZ: 'America/New_York',
  LANG: 'en_US.UTF-8',
  LANGUAGE: 'en_US',
};
