import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** An open page of an engine that prefers reduced motion, by the least that its protocol can do. */
export interface Driver {
  /** Opens the URL and waits until it has loaded. */
  open(url: string): Promise<void>;
  back(): Promise<void>;
  /** The string that the page's expression gives, or promises. */
  evaluate(expression: string): Promise<string>;
  /** Sends the input of one device, as W3C's WebDriver describes it. */
  act(type: 'key' | 'pointer', actions: readonly InputAction[]): Promise<void>;
  setFiles(selector: string, paths: readonly string[]): Promise<void>;
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Coordinates are pixels of the viewport, durations milliseconds. */
export type InputAction =
  | { readonly type: 'keyDown' | 'keyUp'; readonly value: string }
  | { readonly type: 'pointerMove'; readonly x: number; readonly y: number }
  | { readonly type: 'pointerDown' | 'pointerUp'; readonly button: 0 }
  | { readonly type: 'pause'; readonly duration: number };

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** All browsers are in the zone of the artists that tests create, and speak English. */
export const BROWSER_ENV = {
  ...process.env,
  ...{ TZ: 'America/New_York', LANG: 'en_US.UTF-8', LANGUAGE: 'en_US' },
};

export type Program = ChildProcessByStdio<null, Readable, Readable>;

const running = new Set<Program>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** Starts a program, which ends with this process at the latest. */
export function startProgram(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  // Nobody reads the rest, which must not fill the pipe.
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function stopProgram(child: Program): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
