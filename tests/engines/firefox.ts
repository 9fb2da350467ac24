import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { BROWSER_ENV, type Driver, type Size, startProgram, stopProgram } from './driver.ts';

/** Includes the load of a page on a busy machine. */
const ANSWER_MS = 30_000;

const answerSchema = z.object({
  id: z.number(),
  result: z.unknown(),
  message: z.string().optional(),
});
const tabSchema = z.object({ context: z.string() });
const evaluatedSchema = z.union([
  z.object({ result: z.object({ value: z.string() }) }).transform(({ result }) => result.value),
  z.object({ exceptionDetails: z.object({ text: z.string() }) }),
]);
const nodesSchema = z.object({ nodes: z.tuple([z.object({ sharedId: z.string() })]) });

/** Firefox without a screen. Playwright and this Firefox share no version of WebDriver BiDi, which we speak here. */
export async function openFirefox(viewport: Size): Promise<Driver> {
  const profile = await mkdtemp(join(tmpdir(), 'linework-firefox-'));
  await writeFile(join(profile, 'user.js'), 'user_pref("ui.prefersReducedMotion", 1);');
  const args = ['--headless', '--remote-debugging-port=0', '--profile', profile, 'about:blank'];
  const child = startProgram('firefox-esr', args, BROWSER_ENV);
  const send = await connect(await readAddress(child.stderr));
  await send('session.new', { capabilities: {} });
  // The tab that it starts with has no focus, and so no events of it.
  const { context } = tabSchema.parse(await send('browsingContext.create', { type: 'tab' }));
  await send('browsingContext.setViewport', { context, viewport });
  return {
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async back() {
      await send('browsingContext.traverseHistory', { context, delta: -1 });
    },
    async evaluate(expression) {
      const call = { expression, target: { context }, awaitPromise: true, userActivation: false };
      const result = evaluatedSchema.parse(await send('script.evaluate', call));
      if (typeof result !== 'string') throw new Error(result.exceptionDetails.text);
      return result;
    },
    async act(type, actions) {
      await send('input.performActions', { context, actions: [{ type, id: type, actions }] });
    },
    async setFiles(selector, files) {
      const locator = { type: 'css', value: selector };
      const { nodes } = nodesSchema.parse(
        await send('browsingContext.locateNodes', { context, locator }),
      );
      await send('input.setFiles', { context, element: nodes[0], files });
    },
    async screenshot() {
      const shot = await send('browsingContext.captureScreenshot', { context });
      return Buffer.from(z.object({ data: z.string() }).parse(shot).data, 'base64');
    },
    async close() {
      await send('browser.close', {}).catch(() => {});
      await stopProgram(child);
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) return `${address}/session`;
  }
  throw new Error('Firefox did not start');
}

/** Connects to WebDriver BiDi: commands and their results, without events. */
async function connect(address: string) {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  let last = 0;
  return (method: string, params: object): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers();
    last += 1;
    const id = last;
    const read = ({ data }: MessageEvent) => {
      const answer = answerSchema.safeParse(JSON.parse(data)).data;
      if (answer?.id !== id) return;
      socket.removeEventListener('message', read);
      if (answer.message === undefined) resolve(answer.result);
      else reject(new Error(`${method}: ${answer.message}`));
    };
    socket.addEventListener('message', read);
    setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_MS).unref();
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  };
}
