import { expect, test } from 'vitest';
import { toAskedData, toDataRequest } from '#server/operations/to_data_request.ts';

const ROW = {
  id: 'one',
  kind: 'copy' as const,
  askedAt: Date.parse('2026-12-01T12:00:00Z'),
  doneAt: null,
};

test('the artist gets the id of a request, and the client does not', () => {
  expect(toDataRequest(ROW)).toEqual({
    id: 'one',
    kind: 'copy',
    asked_at: '2026-12-01T12:00:00Z',
    done_at: null,
  });
  expect(toAskedData({ ...ROW, doneAt: Date.parse('2026-12-02T12:00:00Z') })).toEqual({
    kind: 'copy',
    asked_at: '2026-12-01T12:00:00Z',
    done_at: '2026-12-02T12:00:00Z',
  });
});
