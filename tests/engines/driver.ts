import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { ENGINES, explainMissing } from '../../scripts/engines.ts';

/**
 * An open page of an engine that prefers reduced motion, by the least that its protocol can do.
 * Its browser ends with the current test.
 */
export interface Driver {
  /** Opens the URL and waits until it has loaded. */
  open(url: string): Promise<void>;
  back(): Promise<void>;
  /** The string that the page's expression gives, or promises. */
  evaluate(expression: string): Promise<string>;
  /** Sends the input of one device, as W3C's WebDriver describes it. */
  act(type: 'key' | 'pointer', actions: readonly InputAction[]): Promise<void>;
  setFiles(selector: string, paths: readonly string[]): Promise<void>;
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

/** How long an answer may take, which includes the load of a page on a busy machine. */
export const ANSWER_MS = 30_000;

/**
 * Starts an engine's program for the current test.
 * @throws if the engine lacks one of its programs, with what to install
 */
export function startProgram(command: string, args: readonly string[], env = {}) {
  const engine = Object.values(ENGINES).find((programs) => command in programs) ?? {};
  const missing = explainMissing(engine);
  if (missing !== undefined) throw new Error(`A program of this browser is missing. ${missing}`);
  const child = spawn(command, args, {
    env: { ...BROWSER_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').catch(() => {});
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  onTestFinished(async () => {
    process.off('exit', kill);
    kill();
    await exited;
  });
  // Nobody reads the rest, which must not fill the pipe.
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  return child;
}

/** Waits until a program writes a line that matches. Returns the first group of the match. */
export async function readOutput(output: Readable, pattern: RegExp): Promise<string> {
  const lines: string[] = [];
  try {
    for await (const line of createInterface({ input: output })) {
      lines.push(line);
      const [, found] = pattern.exec(line) ?? [];
      if (found !== undefined) return found;
    }
  } finally {
    // The end of the loop pauses it.
    output.resume();
  }
  throw new Error(`No ${pattern} in the output of a program that ended:\n${lines.join('\n')}`);
}
