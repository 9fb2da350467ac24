import * as z from 'zod/mini';
import { Email, requiredLine } from './common.ts';

/** A visitor's message to an artist. */
export const ContactMessage = z
  .strictObject({
    name: requiredLine(120, 'Name is required'),
    email: Email,
    message: requiredLine(5000, 'Message is required'),
  })
  .check(z.meta({ id: 'ContactMessage' }));
export type ContactMessage = z.output<typeof ContactMessage>;
