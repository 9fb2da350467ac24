import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Resolver,
  set,
  useForm,
} from 'react-hook-form';

type Resolvers = typeof import('./form_resolvers.ts');

const UNCHECKED_TEXT = 'This could not be checked. Is there a connection?';

/**
 * A form whose resolver is loaded when the form is first validated, so that the page starts with fewer
 * scripts. While the resolver cannot be loaded, the form is not sent.
 */
export function useLoadedForm<In extends FieldValues, Out extends FieldValues>(
  choose: (resolvers: Resolvers) => Resolver<In, unknown, Out>,
  defaultValues: DefaultValues<In>,
) {
  const resolver: Resolver<In, unknown, Out> = async (values, context, options) => {
    const resolvers = await import('./form_resolvers.ts').catch(() => null);
    if (resolvers) return choose(resolvers)(values, context, options);
    const errors: FieldErrors<In> = {};
    // The text appears beside the first of the fields that are validated.
    const [name = 'form'] = options.names ?? [];
    set(errors, name, { type: 'unchecked', message: UNCHECKED_TEXT });
    return { values: {}, errors };
  };
  return useForm<In, unknown, Out>({
    defaultValues,
    resolver,
    mode: 'onBlur',
    criteriaMode: 'all',
  });
}
