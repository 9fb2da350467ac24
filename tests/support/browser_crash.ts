import type { Page } from '@playwright/test';
import * as z from 'zod/mini';

const Message = z.object({
  id: z.optional(z.number()),
  result: z.optional(
    z.object({ result: z.optional(z.object({ value: z.optional(z.unknown()) })) }),
  ),
});

/**
 * Crashes the tab of a page, and reloads it, as a person would. Playwright does nothing more with a
 * crashed page, so this speaks to the browser itself (Chrome DevTools Protocol).
 * @returns evaluates an expression in the reloaded page
 */
export async function crashAndReload(
  page: Page,
): Promise<(expression: string) => Promise<unknown>> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page has no browser');
  const tab = await page.context().newCDPSession(page);
  const { targetInfo } = await tab.send('Target.getTargetInfo');
  const hasCrashed = page.waitForEvent('crash');
  // No answer comes: the tab is gone.
  void tab.send('Page.crash').catch(() => {});
  await hasCrashed;

  const session = await browser.newBrowserCDPSession();
  const { sessionId } = await session.send('Target.attachToTarget', {
    targetId: targetInfo.targetId,
    flatten: false,
  });
  const waiting = new Map<number, (value: unknown) => void>();
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = Message.parse(JSON.parse(message));
    if (id !== undefined) waiting.get(id)?.(result?.result?.value);
  });
  let lastId = 0;
  async function send(method: string, params: object): Promise<unknown> {
    lastId += 1;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(lastId, resolve);
    const message = JSON.stringify({ id: lastId, method, params });
    await session.send('Target.sendMessageToTarget', { sessionId, message });
    return promise;
  }
  await send('Page.reload', {});
  return (expression) => send('Runtime.evaluate', { expression, returnByValue: true });
}
