import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { AppointmentForm, type AppointmentFormInput } from '#contract/appointment_form.ts';
import {
  BLANK_DETAILS,
  DETAIL_FIELDS,
  type DetailField,
  type Details,
  detailsOf,
  isBlank,
} from '#stores/details.ts';
import { dropDraft, keepDraft, readDraft } from '#stores/draft.ts';
import type { Answer } from '#stores/submission.ts';

/** The form element of either flow, so that what was typed before the scripts came is found. */
export const FORM_ID = 'appointment-form';

/** The details of either flow: judged as the API judges them, kept through a reload. */
export function useDetailsForm(username: string) {
  // React Hook Form blanks the inputs as it takes them over, so read them first.
  const [typedEarly] = useState(typedBeforeScripts);
  const form = useForm<AppointmentFormInput, unknown, AppointmentForm>({
    defaultValues: BLANK_DETAILS,
    resolver: zodResolver(AppointmentForm),
    mode: 'onBlur',
    criteriaMode: 'all',
    shouldFocusError: false,
  });
  const { reset, subscribe, setError, setFocus } = form;

  useEffect(() => {
    const kept = readDraft(username).details ?? BLANK_DETAILS;
    const details = detailsOf((field) => typedEarly[field] || kept[field]);
    // Compared with the blank defaults, a restored draft counts as a change.
    if (!isBlank(details)) reset(details, { keepDefaultValues: true });
    return subscribe({
      formState: { values: true },
      callback: ({ values }) =>
        keepDraft(username, { details: detailsOf((field) => values[field] ?? '') }),
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
      dropDraft(username);
    },
    focusInvalid(errors: FieldErrors<AppointmentFormInput>): void {
      focusFirst((field) => errors[field] !== undefined);
    },
    /** Puts what the API found wrong beside the fields. */
    showInvalid(answer: Extract<Answer, { kind: 'invalid' }>): void {
      for (const { field, message } of answer.fields) setError(field, { type: 'server', message });
      focusFirst((field) => answer.fields.some((one) => one.field === field));
    },
  };
}

function typedBeforeScripts(): Details {
  if (typeof document === 'undefined') return BLANK_DETAILS;
  const form = document.getElementById(FORM_ID);
  if (!(form instanceof HTMLFormElement)) return BLANK_DETAILS;
  const typed = new FormData(form);
  return detailsOf((field) => {
    const value = typed.get(field);
    return typeof value === 'string' ? value : '';
  });
}
