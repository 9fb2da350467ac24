import { type FieldValues, get, type Path, type UseFormReturn } from 'react-hook-form';
import { ApiError } from '#client/call.ts';
import { errorText } from '#stores/error_text.ts';

/** Shows the API's errors on the form's fields. @returns the first error of no field; null for none */
export function showServerErrors<In extends FieldValues, Out extends FieldValues>(
  { getValues, setError }: UseFormReturn<In, unknown, Out>,
  error: unknown,
): string | null {
  if (!(error instanceof ApiError) || typeof error.detail === 'string') return errorText(error);
  const values = getValues();
  let otherError: string | null = null;
  let shouldFocus = true;
  for (const { loc, msg } of error.detail) {
    // `loc` is such as `['body', 'studio', 'city']`.
    const path = loc.slice(1).join('.');
    if (loc[0] === 'body' && isFieldPath(values, path)) {
      setError(path, { type: 'server', message: msg }, { shouldFocus });
      shouldFocus = false;
    } else otherError ??= msg;
  }
  return otherError;
}

function isFieldPath<In extends FieldValues>(values: In, path: string): path is Path<In> {
  return path !== '' && get(values, path) !== undefined;
}
