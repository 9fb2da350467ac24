import type { Page } from '@playwright/test';
import type { Design } from '#contract/design.ts';
import type { UploadedImage } from '#contract/image.ts';
import { button } from './browser_booking.ts';
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

async function post<T>(path: string, token: string, body: FormData): Promise<T> {
  const response = await fetch(`${apiUrl()}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body,
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return await response.json();
}
