import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type * as z from 'zod/mini';
import { plainError } from '#contract/plain_errors.ts';

/** Validates the values of a form by a schema of the contract. */
export function createResolver<In extends FieldValues, Out extends FieldValues>(
  schema: z.core.$ZodType<Out, In>,
): Resolver<In, unknown, Out> {
  return zodResolver(schema, { error: plainError });
}
