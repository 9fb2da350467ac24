import { expect, test } from 'vitest';
import { createServerInspection } from '#server/server_inspection.ts';
import { readConfig } from '#server/settings/config.ts';
import { openFolder } from '#support/folder.ts';
import { TEST_SECRET_KEY } from '#support/test_app.ts';

async function setUp() {
  const dataDir = await openFolder();
  // Nothing answers there.
  const SITE_URL = 'http://127.0.0.1:1';
  const variables = { DATA_DIR: dataDir, SECRET_KEY: TEST_SECRET_KEY, SITE_URL };
  return createServerInspection(readConfig(variables), dataDir, variables);
}

test('the version is that of the package, and the disk that of the data folder', async () => {
  const server = await setUp();
  expect(await server.readVersion()).toMatch(/^\d+\.\d+\.\d+$/);
  const { freeBytes, totalBytes } = await server.readDisk();
  expect(freeBytes).toBeGreaterThan(0);
  expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
});

test('concurrent runs of the doctor are one, and a later one is another', async () => {
  const server = await setUp();
  const [one, two] = await Promise.all([server.runDoctor(), server.runDoctor()]);
  expect(one.map(({ part }) => part)).toContain('disk');
  expect(two).toBe(one);
  expect(await server.runDoctor()).not.toBe(one);
});
