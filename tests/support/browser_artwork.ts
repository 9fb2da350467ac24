import { expect, type Locator, type Page } from '@playwright/test';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import { button } from './browser_booking.ts';
import { waitForRender } from './browser_frames.ts';
import { apiUrl } from './browser_server.ts';
import type { TestArtist } from './new_artist.ts';
import { createFlatPicture, createMultipart } from './pictures.ts';

/** A file for the file picker. */
interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const COLORS = ['#8a1c1c', '#1f6b3a', '#1d3f72', '#f2b705', '#5f574f'];

/** A picture from a camera, each of another color. */
export async function createPhoto(name: string, index = 0): Promise<TestFile> {
  const color = COLORS[index % COLORS.length];
  return {
    name,
    mimeType: 'image/jpeg',
    buffer: await createFlatPicture(900, 1200, color).jpeg().toBuffer(),
  };
}

/** Adds designs of these names over the API. */
export async function addDesigns(
  { token }: TestArtist,
  names: readonly string[],
): Promise<readonly Design[]> {
  const added: Design[] = [];
  for (const [index, name] of names.entries()) {
    const { buffer } = await createPhoto(name, index);
    added.push(await post<Design>('/designs/', token, createMultipart([buffer], { name })));
  }
  return added;
}

/** Adds pictures to the portfolio over the API. */
export async function addPictures({ token }: TestArtist, count: number): Promise<void> {
  const photos = await Promise.all(Array.from({ length: count }, (_, at) => createPhoto('p', at)));
  const files = photos.map(({ buffer }) => buffer);
  await post<{ data: UploadedImage[] }>('/images/portfolio/upload', token, createMultipart(files));
}

/** Picks up the focused item by keyboard and waits until the arrow keys can move it. */
export async function grabByKeyboard(
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

/** Chooses files, or the one at a path, with the button that opens the file picker. */
export async function chooseFiles(
  page: Page,
  name: string,
  files: readonly TestFile[] | string,
): Promise<void> {
  const picker = page.waitForEvent('filechooser');
  await button(page, name).click();
  await (await picker).setFiles(typeof files === 'string' ? files : [...files]);
}

/** Drops files onto the page, as from a file manager. */
export async function dropFiles(page: Page, files: readonly TestFile[]): Promise<void> {
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

/** The headings of a list's items, in order. */
export function itemNames(page: Page, list: string): Locator {
  return page.getByRole('list', { name: list }).getByRole('heading', { level: 2 });
}

/** Drags an item by its handle onto the place of another. */
export async function dragItem(page: Page, item: string, onto: string): Promise<void> {
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

async function post<T>(path: string, token: string, body: FormData): Promise<T> {
  const response = await fetch(`${apiUrl()}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return await response.json();
}
