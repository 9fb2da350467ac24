import * as z from 'zod/mini';
import { Id, listPageOf } from '#contract/common.ts';
import type { Download } from '#contract/endpoint.ts';
import * as endpoints from '#contract/endpoints.ts';
import { ClientExport, Export, ExportQuery } from '#contract/export.ts';
import { exportClient } from '#server/operations/exports/client_export.ts';
import * as operations from '#server/operations/exports/exports.ts';
import { anyone, artists, route } from './route.ts';

const ExportPath = z.object({ export_id: Id });

/** Describes a ZIP response in the API document; the operation returns a stream. */
const ZipBody = z.custom<Download>().check(
  z.meta({
    description: 'The bytes of a ZIP file',
    override: { type: 'string', contentMediaType: 'application/zip' },
  }),
);

export const dataExports = [
  route(endpoints.startExport, artists, {
    summary: 'Start an export of all data of the artist',
    description:
      'A job makes a ZIP file of JSON, CSV and pictures, then the artist gets a mail. While one is not finished, the call answers it. At most 5 a day.',
    input: {},
    status: 201,
    response: Export,
    refusals: ['rate_limited', 'busy'],
    handle: ({ context, artist }) => operations.startExport(context, artist),
  }),
  route(endpoints.listExports, artists, {
    summary: "The artist's last exports, newest first",
    description: 'Each can be downloaded for a day, by its `url`.',
    input: {},
    response: listPageOf(Export),
    handle: ({ context, artist, now }) => operations.listExports(context, artist.id, now),
  }),
  route(endpoints.deleteExport, artists, {
    summary: 'Delete an export with its file',
    input: { path: ExportPath },
    handle: ({ context, artist, path }) =>
      operations.deleteExport(context, artist.id, path.export_id),
  }),
  route(endpoints.downloadExport, anyone, {
    summary: 'Download an export',
    description: 'The token is in the `url` of the export.',
    input: { path: ExportPath, query: ExportQuery },
    response: ZipBody,
    handle: ({ context, path, query, now }) =>
      operations.downloadExport(context, path.export_id, query.token, now),
  }),
  route(endpoints.exportClient, artists, {
    summary: "All data of one of the artist's clients, for a client who asks for a copy",
    input: { path: z.object({ client_id: Id }) },
    response: ClientExport,
    handle: ({ context, artist, path, now }) =>
      exportClient(context, artist.id, path.client_id, now),
  }),
];
