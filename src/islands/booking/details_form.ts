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

/** The form element of either flow, so that what was typed before the scripts came is found. */
export const APPOINTMENT_FORM_ID = 'appointment-form';

/** The details of either flow: judged as the API judges them, kept through a reload. */
export function useDetailsForm(username: string) {
  // React Hook Form blanks the inputs as it takes them over, so read them first.
  const [typedEarly] = useState(valuesTypedBeforeHydration);
  const form = useForm<AppointmentFormInput, unknown, AppointmentForm>({
    defaultValues: BLANK_DETAILS,
    resolver: zodResolver(AppointmentForm),
    mode: 'onBlur',
    criteriaMode: 'all',
    shouldFocusError: false,
  });
  const { reset, subscribe, setError, setFocus } = form;

  useEffect(() => {
    const kept = readBookingDraft(username).details ?? BLANK_DETAILS;
    const details = toDetails((field) => typedEarly[field] || kept[field]);
    // Compared with the blank defaults, a restored draft counts as a change.
    if (!isBlank(details)) reset(details, { keepDefaultValues: true });
    return subscribe({
      formState: { values: true },
      callback: ({ values }) =>
        saveBookingDraft(username, { details: toDetails((field) => values[field] ?? '') }),
    });
  }, [username, typedEarly, reset, subscribe]);

  function focusFirst(isInvalid: (field: DetailField) => boolean): void {
    const first = DETAIL_FIELDS.find(isInvalid);
    if (first) setFocus(first);
  }

  return {
    form,
    /** Blank again, here and in what was kept. */
    clear(): void {
      reset(BLANK_DETAILS);
      clearBookingDraft(username);
    },
    focusInvalid(errors: FieldErrors<AppointmentFormInput>): void {
      focusFirst((field) => errors[field] !== undefined);
    },
    /** Puts what the API found wrong beside the fields. */
    showInvalid(answer: Extract<SubmitResult, { kind: 'invalid' }>): void {
      for (const { field, message } of answer.fields) setError(field, { type: 'server', message });
      focusFirst((field) => answer.fields.some((one) => one.field === field));
    },
  };
}

function valuesTypedBeforeHydration(): Details {
  if (typeof document === 'undefined') return BLANK_DETAILS;
  const form = document.getElementById(APPOINTMENT_FORM_ID);
  if (!(form instanceof HTMLFormElement)) return BLANK_DETAILS;
  const typed = new FormData(form);
  return toDetails((field) => {
    const value = typed.get(field);
    return typeof value === 'string' ? value : '';
  });
}
