import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { z } from 'zod';
import { freePort } from '#support/free_port.ts';
import { findProgram } from '../../scripts/engines.ts';
import { BROWSER_ENV, type Driver, type Size, startProgram, stopProgram } from './driver.ts';

interface WebDriverProgram {
  readonly program: 'WebKitWebDriver' | 'WPEWebDriver';
  readonly env: Readonly<Record<string, string>>;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

const elementSchema = z.record(z.string(), z.string()).transform((ids) => Object.values(ids)[0]);

/** WebKitGTK in a full screen of this size, which no window's frame or toolbar makes smaller. */
export async function openWebKit({ width, height }: Size): Promise<Driver> {
  const { display, screen } = await startScreen({ width, height });
  const manager = startProgram('openbox', [], { ...BROWSER_ENV, DISPLAY: display });
  const driver = await openWebDriver({
    program: 'WebKitWebDriver',
    env: { DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1' },
    capabilities: {
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': {
        binary: findProgram('/usr/lib/*/webkit2gtk-4.1/MiniBrowser'),
        args: ['--automation', '--full-screen'],
      },
    },
  });
  return {
    ...driver,
    async close() {
      await driver.close();
      for (const child of [manager, screen]) await stopProgram(child);
    },
  };
}

/** A WebKit of 2022, without a screen. */
export function openOldWebKit(): Promise<Driver> {
  const browser = { binary: findProgram('cog'), args: ['--automation', '-P', 'headless'] };
  return openWebDriver({
    program: 'WPEWebDriver',
    env: {},
    capabilities: { 'wpe:browserOptions': browser },
  });
}

/** A page of a browser that a WebDriver program starts. */
async function openWebDriver({ program, env, capabilities }: WebDriverProgram): Promise<Driver> {
  const home = await mkdtemp(join(tmpdir(), 'linework-engine-'));
  const settings = join(home, '.config/gtk-3.0');
  await mkdir(settings, { recursive: true });
  // So that pages prefer reduced motion.
  await writeFile(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  const port = await freePort();
  // Root has no user namespaces for WebKit's sandbox.
  const ownEnv = { HOME: home, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', ...env };
  const child = startProgram(program, [`--port=${port}`], { ...BROWSER_ENV, ...ownEnv });
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = z.object({ value: z.unknown() }).parse(await response.json());
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await vi.waitUntil(() => send('GET', '/status').catch(() => undefined), { timeout: 20_000 });
  const opened = await send('POST', '/session', { capabilities: { alwaysMatch: capabilities } });
  const session = `/session/${z.object({ sessionId: z.string() }).parse(opened).sessionId}`;
  return {
    open: async (url) => void (await send('POST', `${session}/url`, { url })),
    back: async () => void (await send('POST', `${session}/back`, {})),
    async evaluate(expression) {
      const script = `const done = arguments[0];
        Promise.resolve(${expression}).then(done, (error) => done({ error: String(error) }));`;
      const answer = await send('POST', `${session}/execute/async`, { script, args: [] });
      const result = z.union([z.string(), z.object({ error: z.string() })]).parse(answer);
      if (typeof result !== 'string') throw new Error(result.error);
      return result;
    },
    async act(type, actions) {
      await send('POST', `${session}/actions`, { actions: [{ type, id: type, actions }] });
    },
    async setFiles(selector, paths) {
      const query = { using: 'css selector', value: selector };
      const found = await send('POST', `${session}/element`, query);
      const text = paths.join('\n');
      await send('POST', `${session}/element/${elementSchema.parse(found)}/value`, { text });
    },
    async screenshot() {
      return Buffer.from(z.string().parse(await send('GET', `${session}/screenshot`)), 'base64');
    },
    async close() {
      await send('DELETE', session).catch(() => {});
      await stopProgram(child);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** An X server without a monitor, whose screen has this size. */
async function startScreen({ width, height }: Size) {
  // It writes the number of the display that it found free once it accepts windows.
  const size = `${width}x${height}x24`;
  const args = ['-displayfd', '1', '-screen', '0', size, '-nolisten', 'tcp'];
  const screen = startProgram('Xvfb', args, BROWSER_ENV);
  const [number] = await once(screen.stdout, 'data');
  return { screen, display: `:${String(number).trim()}` };
}
