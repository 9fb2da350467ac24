import type { DataRequestKind } from '#domain/data_request.ts';

/** What a client asks for. */
export const DATA_REQUEST_LABELS: Record<DataRequestKind, string> = {
  copy: 'A copy of their data',
  erasure: 'The erasure of their data',
};
