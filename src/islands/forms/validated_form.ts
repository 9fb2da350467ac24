import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { createResolver } from './schema_resolver.ts';

/** A form validated by a contract schema: on blur, with all errors (specification, section 5). */
export function useValidatedForm<In extends FieldValues, Out extends FieldValues>(
  schema: z.core.$ZodType<Out, In>,
  defaultValues: DefaultValues<In>,
) {
  return useForm<In, unknown, Out>({
    defaultValues,
    resolver: createResolver(schema),
    mode: 'onBlur',
    criteriaMode: 'all',
  });
}
