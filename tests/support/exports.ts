import { unzipSync } from 'fflate';
import Papa from 'papaparse';
import { expect } from 'vitest';
import { call } from '#client/call.ts';
import { downloadExport, listExports, startExport } from '#contract/endpoints.ts';
import type { Export } from '#contract/export.ts';
import type { Database } from '#server/database/connect.ts';
import type { TestArtist } from './new_artist.ts';
import type { TestApp } from './test_app.ts';

/** The files of a ZIP file by their names. */
export type ZipContents = Readonly<Record<string, Uint8Array>>;

/** Starts an export, runs its job, and returns it. */
export async function makeExport(app: TestApp, { http }: TestArtist): Promise<Export> {
  const { id } = await call(http, startExport);
  await app.runJobs('export');
  const made = (await call(http, listExports)).data.find((one) => one.id === id);
  if (made?.state !== 'ready') throw new Error(`The export is ${made?.state}`);
  return made;
}

/** An export that waits for its job, which is not queued. */
export async function addExportRow(database: Database, artistId: string): Promise<string> {
  const { id } = await database
    .insertInto('exports')
    .values({ artist_id: artistId })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The token of an export's link. */
export function tokenOf({ url }: Pick<Export, 'url'>): string {
  return new URL(url ?? '').searchParams.get('token') ?? '';
}

/** Downloads an export as a browser does, and unpacks it. */
export async function openExport(app: TestApp, made: Export): Promise<ZipContents> {
  const { size, body } = await call(app.http(), downloadExport, {
    path: { export_id: made.id },
    query: { token: tokenOf(made) },
  });
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  expect([size, made.size]).toEqual([bytes.length, bytes.length]);
  return unzipSync(bytes);
}

export function textOf(contents: ZipContents, name: string): string {
  const bytes = contents[name];
  if (!bytes) throw new Error(`There is no ${name}, only ${Object.keys(contents)}`);
  // Not `TextDecoder`, which drops a byte order mark.
  return Buffer.from(bytes).toString();
}

/** The rows of a CSV file by the titles of their columns. */
export function csvRows(csv: string): Record<string, string>[] {
  const { data, errors } = Papa.parse<Record<string, string>>(csv.replace(/^\uFEFF/, ''), {
    header: true,
    skipEmptyLines: true,
  });
  expect(errors).toEqual([]);
  return data;
}
