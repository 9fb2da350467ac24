import { cleanup, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { US_CONVENTIONS } from '#domain/date_conventions.ts';
import BookingIsland from '#islands/booking/BookingIsland.tsx';
import ConfirmationIsland from '#islands/confirmation/ConfirmationIsland.tsx';
import { deviceHeader } from '#stores/session.ts';
import { ANA, createConfirmation, DECEMBER, FLASH, fakeBookingApi } from '#support/fake_api.ts';

const Platform = Intl.DateTimeFormat;

/** What a browser makes of a zone by its own data; throws a RangeError for one that it lacks. */
type ZoneData = (zone: string | undefined) => string | undefined;

function replaceZoneData(toKnownZone: ZoneData, ownZone: string): void {
  class OtherFormat extends Platform {
    constructor(locale?: Intl.LocalesArgument, options: Intl.DateTimeFormatOptions = {}) {
      const timeZone = toKnownZone(options.timeZone);
      super(locale, { ...options, ...(timeZone !== undefined && { timeZone }) });
    }
    override resolvedOptions() {
      return { ...super.resolvedOptions(), timeZone: ownZone };
    }
  }
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(OtherFormat);
}

const lacks = (names: readonly string[]) => (zone: string | undefined) => {
  if (zone !== undefined && names.includes(zone)) throw new RangeError(`Invalid zone ${zone}`);
  return zone;
};

/** The same texts as for a browser with the server's data, and nothing about its own clock. */
const BROWSERS: readonly (readonly [string, ZoneData, string])[] = [
  [
    'has another rule for the zone',
    (zone) => (zone === 'America/New_York' ? 'America/Chicago' : zone),
    'America/New_York',
  ],
  ['lacks the zone of the studio', lacks(['America/New_York']), 'America/New_York'],
  ['does not know its own zone', lacks(['Etc/Unknown']), 'Etc/Unknown'],
  ['reports a zone that it lacks', lacks(['America/Coyhaique']), 'America/Coyhaique'],
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T12:00:00Z') });
});

test.each(BROWSERS)(
  'the page to book, and that of an appointment, show the studio’s times in a browser that %s',
  async (_, toKnownZone, ownZone) => {
    replaceZoneData(toKnownZone, ownZone);
    fakeBookingApi();
    render(
      <BookingIsland
        artist={ANA}
        services={[FLASH]}
        serviceId={FLASH.id}
        designId={null}
        today="2026-12-01"
        initialMonth={{ month: '2026-12', days: DECEMBER }}
        zoneName="Eastern Time (New York)"
      />,
    );
    const times = await screen.findByRole('group', { name: 'Thursday, December 3' });
    expect(times.textContent).toBe('Morning10:00 AM11:00 AM');
    cleanup();
    render(
      <ConfirmationIsland
        confirmation={createConfirmation({ status: 'confirmed' })}
        isTakingBookings
        mailToken={null}
        conventions={US_CONVENTIONS}
        now={Date.now()}
        refused={null}
        zoneName="Eastern Time (New York)"
      />,
    );
    expect(screen.getByText('10:00 AM - 11:00 AM')).toBeTruthy();
    expect(screen.getByText('Time zone: America/New_York')).toBeTruthy();
  },
);

test.each([
  ['Europe/Berlin', { 'time-zone': 'Europe/Berlin' }],
  ['Etc/Unknown', {}],
])('a login from a browser in %s sends %o', (ownZone, header) => {
  replaceZoneData(lacks(['Etc/Unknown']), ownZone);
  expect(deviceHeader()).toEqual(header);
});
