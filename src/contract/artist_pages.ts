/** All that a public page of an artist shows, so that the page loads with one call. */
import * as z from 'zod/mini';
import { BODY_LOCATIONS, TATTOO_SIZES } from '#domain/appointments/appointment_choices.ts';
import { Artist } from './artist.ts';
import { AvailableDay } from './availability.ts';
import { Id, LocalDate, namedObject } from './common.ts';
import { Design } from './design.ts';
import { UploadedImage } from './image.ts';
import { Money } from './price.ts';
import { Service } from './service.ts';

/** The links above many designs filter them; any text, because an unknown value is ignored. */
export const DesignsPageQuery = z.object({
  placement: z.optional(z.string()),
  size: z.optional(z.string()),
  free: z.optional(z.string()),
});
export type DesignsPageQuery = z.output<typeof DesignsPageQuery>;

export const DesignsPage = namedObject('DesignsPage', {
  artist: Artist,
  designs: z
    .array(Design)
    .check(z.describe('Those that match the filter; what clients cannot book comes last')),
  filters: z
    .nullable(
      z.object({
        placements: z.array(z.enum(BODY_LOCATIONS)),
        sizes: z.array(z.enum(TATTOO_SIZES)),
        placement: z.nullable(z.enum(BODY_LOCATIONS)).check(z.describe('The chosen one')),
        size: z.nullable(z.enum(TATTOO_SIZES)).check(z.describe('The chosen one')),
        free: z.nullable(z.boolean()).check(z.describe('null if there is nothing to choose')),
        count: z.int().check(z.describe('Of all designs')),
      }),
    )
    .check(
      z.describe(
        'What the designs can be filtered by; null with few designs, or nothing to choose',
      ),
    ),
  services: z
    .array(Service)
    .check(
      z.describe(
        'What clients can book instead, if there are no designs and the scheduling type is `service`; else empty',
      ),
    ),
});
export type DesignsPage = z.output<typeof DesignsPage>;

/** An available design before or after another one, in the artist's order. */
const DesignNeighbor = z.nullable(z.object({ id: Id, name: z.string() }));

export const DesignPage = namedObject('DesignPage', {
  artist: Artist,
  design: Design,
  previous: DesignNeighbor.check(
    z.describe('The available design before it; null for the first, and for a claimed design'),
  ),
  next: DesignNeighbor.check(
    z.describe('The available design after it; null for the last, and for a claimed design'),
  ),
});
export type DesignPage = z.output<typeof DesignPage>;

export const ServicesPage = namedObject('ServicesPage', {
  artist: Artist,
  services: z.array(Service),
});
export type ServicesPage = z.output<typeof ServicesPage>;

export const PortfolioPage = namedObject('PortfolioPage', {
  artist: Artist,
  images: z.array(UploadedImage),
});
export type PortfolioPage = z.output<typeof PortfolioPage>;

/** The chosen design and service; any text, because an unknown id is ignored. */
export const SchedulingPageQuery = z.object({
  design: z.optional(z.string()),
  service: z.optional(z.string()),
});
export type SchedulingPageQuery = z.output<typeof SchedulingPageQuery>;

export const SchedulingPage = namedObject('SchedulingPage', {
  artist: Artist,
  booking_policy: z
    .string()
    .check(z.describe('What clients read before they book; empty without a policy')),
  deposit: z.nullable(Money),
  services: z
    .array(Service)
    .check(z.describe('Empty unless the scheduling type of the artist is `service`')),
  service: z
    .nullable(Service)
    .check(z.describe('The chosen one, or the one with which the design is booked')),
  design: z.nullable(Design).check(z.describe('The chosen one')),
  is_design_gone: z
    .boolean()
    .check(z.describe('Whether the chosen design is claimed, hidden or deleted')),
  today: LocalDate.check(z.describe("In the studio's zone; the page ends at its midnight")),
  first_month: z
    .nullable(
      z.object({
        month: z.string().check(z.meta({ examples: ['2026-12'] })),
        days: z.array(AvailableDay),
      }),
    )
    .check(
      z.describe(
        "The free times of the chosen service, or of a design with a length of its own, in the studio's current month or the next with any",
      ),
    ),
  alike: z
    .array(Design)
    .check(z.describe('Designs like the chosen one, if that is gone; else empty')),
});
export type SchedulingPage = z.output<typeof SchedulingPage>;
