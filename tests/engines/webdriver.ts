import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { openFolder } from '#support/folder.ts';
import { freePort } from '#support/free_port.ts';
import { findProgram, MINI_BROWSER } from '../../scripts/engines.ts';
import { ANSWER_MS, type Driver, readOutput, type Size, startProgram } from './driver.ts';

const elementSchema = z.record(z.string(), z.string()).transform((ids) => Object.values(ids)[0]);

/** WebKitGTK in a full screen of this size, which no window's frame or toolbar makes smaller. */
export async function openWebKit({ width, height }: Size): Promise<Driver> {
  const screen = ['-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'];
  // Writes the number of the display that it found free once it accepts windows.
  const { stdout } = startProgram('Xvfb', ['-displayfd', '1', ...screen]);
  const env = { DISPLAY: `:${await readOutput(stdout, /(\d+)/)}` };
  startProgram('openbox', [], env);
  const args = ['--automation', '--full-screen'];
  const options = { binary: findProgram(MINI_BROWSER), args };
  const capabilities = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options };
  return openWebDriver('WebKitWebDriver', capabilities, env);
}

/** A WebKit of 2022, without a screen. */
export function openOldWebKit(): Promise<Driver> {
  const options = { binary: findProgram('cog'), args: ['--automation', '-P', 'headless'] };
  return openWebDriver('WPEWebDriver', { 'wpe:browserOptions': options });
}

/** A page of a browser that a WebDriver program starts. */
async function openWebDriver(program: string, capabilities: object, env = {}): Promise<Driver> {
  const home = await openFolder();
  const settings = join(home, 'gtk-3.0');
  await mkdir(settings, { recursive: true });
  // So that pages prefer reduced motion.
  await writeFile(join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  const port = await freePort();
  startProgram(program, [`--port=${port}`], {
    ...{ HOME: home, XDG_CONFIG_HOME: home, LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1' },
    // Root has no user namespaces for WebKit's sandbox.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    ...env,
  });
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = z.object({ value: z.unknown() }).parse(await response.json());
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await vi.waitFor(() => send('GET', '/status'), { timeout: 20_000 });
  const opened = await send('POST', '/session', { capabilities: { alwaysMatch: capabilities } });
  const session = `/session/${z.object({ sessionId: z.string() }).parse(opened).sessionId}`;
  // The program would leave its browser behind.
  onTestFinished(async () => void (await send('DELETE', session).catch(() => {})));
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
  };
}
