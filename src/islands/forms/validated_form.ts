import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { createResolver } from './schema_resolver.ts';

/** A form that is validated by a schema. A field that loses the focus shows all its errors. */
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
