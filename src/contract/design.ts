import * as z from 'zod/mini';
import { DESIGN_STATUSES } from '#domain/artwork.ts';
import { Id } from './common.ts';
import { Image } from './image.ts';

export const Design = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    status: z.enum(DESIGN_STATUSES),
    image: Image,
  })
  .check(z.meta({ id: 'Design' }));
export type Design = z.output<typeof Design>;
