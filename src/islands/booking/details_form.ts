import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { AppointmentForm, type AppointmentFormInput } from '#contract/appointment_form.ts';
import { clearBookingDraft, readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import {
  BLANK_DETAILS,
  DETAIL_FIELDS,
  type DetailField,
  type Details,
  isBlank,
  toDetails,
} from '#stores/details.ts';
import type { SubmitResult } from '#stores/submission.ts';

/** The id of the form element, by which `valuesTypedBeforeHydration` finds it. */
export const APPOINTMENT_FORM_ID = 'appointment-form';

/**
 * The form of a booking or a request, validated like the API does. A draft in the browser keeps its
 * values through a reload.
 */
export function useDetailsForm(username: string) {
  // React Hook Form blanks the inputs when it registers them, so read them first.
  const [typedValues] = useState(valuesTypedBeforeHydration);
  const form = useForm<AppointmentFormInput, unknown, AppointmentForm>({
    defaultValues: BLANK_DETAILS,
    resolver: zodResolver(AppointmentForm),
    mode: 'onBlur',
    criteriaMode: 'all',
    shouldFocusError: false,
  });
  const { getValues, reset, subscribe, setError, setFocus } = form;

  useEffect(() => {
    const draft = readBookingDraft(username).details ?? BLANK_DETAILS;
    const details = toDetails((field) => typedValues[field] || draft[field]);
    // With the blank default values, the form counts a restored draft as a change.
    if (!isBlank(details)) reset(details, { keepDefaultValues: true });
    return subscribe({
      formState: { values: true },
      callback: ({ values }) =>
        saveBookingDraft(username, { details: toDetails((field) => values[field] ?? '') }),
    });
  }, [username, typedValues, reset, subscribe]);

  function focusFirst(isInvalid: (field: DetailField) => boolean): void {
    const first = DETAIL_FIELDS.find(isInvalid);
    if (first) setFocus(first);
  }

  return {
    form,
    /** Empties the form and deletes its draft. @returns the values before */
    clearForm(): Details {
      const values = toDetails((field) => getValues(field) ?? '');
      reset(BLANK_DETAILS);
      clearBookingDraft(username);
      return values;
    },
    /** Brings values back; what the client has typed since stays. */
    restoreForm(earlier: Details): void {
      const details = toDetails((field) => getValues(field) || earlier[field]);
      reset(details, { keepDefaultValues: true });
      saveBookingDraft(username, { details });
    },
    focusInvalid(errors: FieldErrors<AppointmentFormInput>): void {
      focusFirst((field) => errors[field] !== undefined);
    },
    /** Shows the API's errors on the fields. */
    showInvalid({ fields }: Extract<SubmitResult, { kind: 'invalid' }>): void {
      for (const { field, message } of fields) setError(field, { type: 'server', message });
      focusFirst((name) => fields.some(({ field }) => field === name));
    },
  };
}

function valuesTypedBeforeHydration(): Details {
  if (typeof document === 'undefined') return BLANK_DETAILS;
  const form = document.getElementById(APPOINTMENT_FORM_ID);
  if (!(form instanceof HTMLFormElement)) return BLANK_DETAILS;
  const values = new FormData(form);
  return toDetails((field) => {
    const value = values.get(field);
    return typeof value === 'string' ? value : '';
  });
}
