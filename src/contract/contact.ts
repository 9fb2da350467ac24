import * as z from 'zod/mini';
import { Email, Id, requiredLine, ShownInstant } from './common.ts';

/** A visitor's message to an artist. */
export const ContactMessage = z
  .strictObject({
    name: requiredLine(120, 'Name is required'),
    email: Email,
    message: requiredLine(5000, 'Message is required'),
  })
  .check(z.meta({ id: 'ContactMessage' }));
export type ContactMessage = z.output<typeof ContactMessage>;

/** The message as it was kept. */
export const KeptMessage = z
  .object({
    id: Id,
    name: z.string(),
    email: z.string(),
    message: z.string(),
    created_at: ShownInstant,
  })
  .check(z.meta({ id: 'KeptMessage' }));
export type KeptMessage = z.output<typeof KeptMessage>;
