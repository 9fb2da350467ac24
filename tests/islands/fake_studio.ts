import { vi } from 'vitest';
import type { ArtistSelf } from '#contract/artist.ts';
import { NEW_SCHEDULE } from '#domain/schedule.ts';
import { ANA } from './fake_api.ts';

export const ANA_SELF: ArtistSelf = {
  ...ANA,
  schedule: { ...NEW_SCHEDULE, weekly: [], exceptions: [] },
  booking_range: { kind: 'open' },
  is_active: true,
  is_superuser: false,
  reminder_hours: [72, 24],
  subscription: null,
  created_at: '2026-11-01T12:00:00Z',
};

/** The API at the edge of the network, as far as it keeps an artist's schedule. */
export function fakeStudio() {
  let self = ANA_SELF;
  let before: () => Promise<void> = async () => {};

  async function answer(request: Request): Promise<Response> {
    if (request.method === 'PATCH') {
      const changes = await request.json();
      await before();
      self = { ...self, schedule: { ...self.schedule, ...changes } };
      self.schedule.exceptions.sort((a, b) => (a.date < b.date ? -1 : 1));
    }
    return Response.json(self);
  }

  document.documentElement.dataset['api'] = 'http://api.test';
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) =>
    answer(new Request(input, init)),
  );
  return {
    self: () => self,
    /** What happens while a change is on its way. */
    meanwhile(happens: () => Promise<void> | void) {
      before = async () => happens();
    },
  };
}
