import * as z from 'zod/mini';
import { Id, namedObject, Position, trimmedText } from './common.ts';
import { nameText } from './names.ts';
import { Price, PriceInput } from './price.ts';

const DURATION_ERROR = 'Must be 5 to 1440 whole minutes';

/** The length of an appointment. */
export const Minutes = z
  .int(DURATION_ERROR)
  .check(
    z.minimum(5, DURATION_ERROR),
    z.maximum(1440, DURATION_ERROR),
    z.meta({ description: 'Minutes', examples: [60] }),
  );

const serviceFields = {
  name: nameText('Name is required'),
  description: trimmedText(2000),
  duration: Minutes,
  is_available: z.boolean(),
  price: PriceInput,
};

export const Service = namedObject('Service', {
  id: Id,
  name: z.string(),
  description: z.string(),
  duration: z.int(),
  is_available: z.boolean(),
  price: z.nullable(Price),
});
export type Service = z.output<typeof Service>;

export const NewService = z.strictObject({
  ...serviceFields,
  description: z._default(serviceFields.description, ''),
  is_available: z._default(serviceFields.is_available, true),
  price: z._default(serviceFields.price, null),
});
export type NewService = z.output<typeof NewService>;

/** Fields left out keep their value. */
export const ServiceChanges = z.partial(z.strictObject({ ...serviceFields, position: Position }));
export type ServiceChanges = z.output<typeof ServiceChanges>;
