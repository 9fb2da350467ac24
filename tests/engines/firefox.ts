import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openFolder } from '#support/folder.ts';
import { ANSWER_MS, type Driver, readOutput, type Size, startProgram } from './driver.ts';

const answerSchema = z.union([
  z.object({ id: z.number(), type: z.literal('success'), result: z.unknown() }),
  z.object({ id: z.number(), type: z.literal('error'), message: z.string() }),
]);
const tabSchema = z.object({ context: z.string() });
const evaluatedSchema = z.union([
  z.object({ result: z.object({ value: z.string() }) }).transform(({ result }) => result.value),
  z.object({ exceptionDetails: z.object({ text: z.string() }) }),
]);
const nodesSchema = z.object({ nodes: z.tuple([z.object({ sharedId: z.string() })]) });

/**
 * Without the first one, Firefox scrolls to a whole pixel, and after `scrollIntoView` or `focus` corrects that some
 * frames later by up to a pixel, on a busy machine within the next press.
 */
const PREFERENCES = `user_pref("layout.disable-pixel-alignment", true);
user_pref("ui.prefersReducedMotion", 1);`;

/** Firefox without a screen. Playwright and this Firefox share no version of WebDriver BiDi, which we speak here. */
export async function openFirefox(viewport: Size): Promise<Driver> {
  const profile = await openFolder();
  await writeFile(join(profile, 'user.js'), PREFERENCES);
  const args = ['--headless', '--remote-debugging-port=0', '--profile', profile, 'about:blank'];
  const { stderr } = startProgram('firefox-esr', args);
  const address = await readOutput(stderr, /WebDriver BiDi listening on (ws:\S+)/);
  const send = await connect(address);
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
  };
}

/** Connects to WebDriver BiDi. Returns a function that sends a command and waits for its result. */
async function connect(address: string) {
  const socket = new WebSocket(`${address}/session`);
  const closed = once(socket, 'close').then(() => Promise.reject(new Error('Firefox has ended')));
  await Promise.race([once(socket, 'open'), closed]);
  closed.catch(() => {});
  let last = 0;
  return (method: string, params: object): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers();
    last += 1;
    const id = last;
    const read = ({ data }: MessageEvent) => {
      const answer = answerSchema.safeParse(JSON.parse(data)).data;
      if (answer?.id !== id) return;
      socket.removeEventListener('message', read);
      if (answer.type === 'success') resolve(answer.result);
      else reject(new Error(`${method}: ${answer.message}`));
    };
    socket.addEventListener('message', read);
    setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_MS).unref();
    socket.send(JSON.stringify({ id, method, params }));
    return Promise.race([promise, closed]);
  };
}
