import * as z from 'zod/mini';
import { MAX_PAGE_SIZE } from '#domain/requests/list_limits.ts';
import { Email, Id, namedInput, namedObject, requiredText, TimestampOutput } from './common.ts';
import { nameText } from './names.ts';

export const ContactMessage = namedInput('ContactMessage', {
  name: nameText('Name is required'),
  email: Email,
  message: requiredText(5000, 'Message is required'),
});
export type ContactMessage = z.output<typeof ContactMessage>;

/** A client asks for the links of their appointments with an artist. */
export const LinksRequest = namedInput('LinksRequest', { email: Email });
export type LinksRequest = z.output<typeof LinksRequest>;

/** A message of a visitor, as the artist reads it. Generated clients know it by its older name. */
export const ReceivedMessage = namedObject('KeptMessage', {
  id: Id,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  created_at: TimestampOutput,
  read_at: z.nullable(TimestampOutput),
});
export type ReceivedMessage = z.output<typeof ReceivedMessage>;

/** The messages to mark as read. */
export const ReadMessages = namedInput('ReadMessages', {
  ids: z.array(Id).check(z.minLength(1), z.maxLength(MAX_PAGE_SIZE)),
});
