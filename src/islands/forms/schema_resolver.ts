import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type * as z from 'zod/mini';
import { plainError } from '#contract/plain_errors.ts';

/** The validation of React Hook Form by a schema, with messages in plain words. */
export function createResolver<In extends FieldValues, Out extends FieldValues>(
  schema: z.core.$ZodType<Out, In>,
): Resolver<In, unknown, Out> {
  return zodResolver(schema, { error: plainError });
}
