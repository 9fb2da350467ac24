import type { Locator, Page } from '@playwright/test';
import type { ListPage } from '#contract/common.ts';
import type { Design } from '#contract/design.ts';
import { expect, test } from '#support/browser.ts';
import { callSite } from '#support/browser_api.ts';
import { addDesigns, createPhoto } from '#support/browser_artwork.ts';
import { button } from '#support/browser_booking.ts';
import { successToast } from '#support/browser_clients.ts';
import { waitForRender } from '#support/browser_frames.ts';
import { openAs } from '#support/browser_login.ts';
import { expectOk } from '#support/call_api.ts';
import type { TestArtist } from '#support/new_artist.ts';

const names = (page: Page) =>
  page.getByRole('list', { name: 'designs' }).getByRole('heading', { level: 2 });

async function expectAvailable({ username }: TestArtist, expected: readonly string[]) {
  await expect
    .poll(async () => {
      const { data } = await expectOk(
        callSite<ListPage<Design>>(`GET /designs/${username}/available`),
      );
      return data.map(({ name }) => name);
    })
    .toEqual(expected);
}

/** Picks up the focused item by keyboard and waits until the arrow keys can move it. */
async function grabByKeyboard(
  page: Page,
  key: 'Enter' | 'Space',
  announcement: string,
): Promise<void> {
  await page.keyboard.press(key);
  await expect(page.getByText(announcement)).toBeAttached();
  // dnd-kit measures in the next frame, then adds its key listener in a zero-delay timer. A person
  // is slower than that.
  await waitForRender(page);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
}

/** Drops files onto the page, as from a file manager. */
async function dropFiles(
  page: Page,
  files: readonly Awaited<ReturnType<typeof createPhoto>>[],
): Promise<void> {
  const plain = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    base64: buffer.toString('base64'),
  }));
  const dataTransfer = await page.evaluateHandle((chosen) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, base64 } of chosen) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type: mimeType }));
    }
    return transfer;
  }, plain);
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await expect(page.getByText('Drop pictures to add them')).toBeVisible();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

/** Drags an item by its handle onto the place of another. */
async function dragItem(page: Page, item: string, onto: string): Promise<void> {
  const handle = button(page, `Move ${item}`);
  const target = button(page, `Move ${onto}`);
  await handle.scrollIntoViewIfNeeded();
  const [from, to] = [await centerOf(handle), await centerOf(target)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 6, from.y + 6);
  await page.mouse.move(to.x, to.y, { steps: 12 });
  await expect(page.getByText(new RegExp(`^${item} would be number`))).toBeAttached();
  await page.mouse.up();
}

async function centerOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`Not on the page: ${target}`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('designs are reordered by keyboard and by mouse, and dropping files adds designs', {
  tag: '@all',
}, async ({ page, managedArtist: artist }) => {
  await addDesigns(artist, ['Swallow', 'Dagger', 'Anchor']);
  await openAs(page, artist, '/studio/designs');
  await expect(names(page)).toHaveText(['Swallow', 'Dagger', 'Anchor']);
  await test.step('the arrow keys move a design along the order, across rows', async () => {
    await button(page, 'Move Anchor').focus();
    await grabByKeyboard(page, 'Enter', 'Picked up Anchor, number 3 of 3.');
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByText('Anchor would be number 2 of 3.')).toBeAttached();
    await page.keyboard.press('Enter');
    await expectAvailable(artist, ['Swallow', 'Anchor', 'Dagger']);
  });

  await test.step('the mouse drags a design to the place of another on a wide page', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await dragItem(page, 'Swallow', 'Dagger');
    await expect(names(page)).toHaveText(['Anchor', 'Dagger', 'Swallow']);
    await expectAvailable(artist, ['Anchor', 'Dagger', 'Swallow']);
  });

  await dropFiles(page, [await createPhoto('rose.jpg'), await createPhoto('panther.jpg', 1)]);
  await expect(successToast(page, '2 designs added.')).toBeVisible();
  await expect(names(page)).toHaveText(['Anchor', 'Dagger', 'Swallow', 'Rose', 'Panther']);
});
