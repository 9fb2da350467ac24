import { type RefObject, useEffect, useRef, useState } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { AppointmentForm, type AppointmentFormInput, Phone } from '#contract/appointment_form.ts';
import { clearBookingDraft, readBookingDraft, saveBookingDraft } from '#stores/booking_draft.ts';
import {
  BLANK_DETAILS,
  DETAIL_FIELDS,
  type DetailField,
  type Details,
  isBlank,
  toDetailField,
  toDetails,
} from '#stores/details.ts';
import { readHold } from '#stores/saved_hold.ts';
import { toText } from '#stores/stored_values.ts';
import type { SubmitResult } from '#stores/submission.ts';

/** The id of the form element, by which `valuesTypedBeforeHydration` finds it. */
export const APPOINTMENT_FORM_ID = 'appointment-form';

/** Says whether a phone number keeps the rules of its country; null until these rules are loaded. */
type PhoneRules = ((phone: string) => boolean) | null;

/** For the fields that set the rules of the phone number. */
export interface PhoneRulesProps {
  /** Rules by which the form checks the phone number, beside those of the contract. */
  phoneRules: RefObject<PhoneRules>;
}

/** The form of a booking or a request, validated like the API does, and with a draft that survives a reload. */
export function useDetailsForm(username: string) {
  // React Hook Form empties the inputs when it registers them, so read them first.
  const [typedValues] = useState(valuesTypedBeforeHydration);
  const phoneRules = useRef<PhoneRules>(null);
  const [resolver] = useState(() => createResolver((phone) => phoneRules.current?.(phone) ?? true));
  const form = useForm<AppointmentFormInput, unknown, AppointmentForm>({
    defaultValues: BLANK_DETAILS,
    resolver,
    mode: 'onBlur',
    shouldFocusError: false,
  });
  const { getValues, reset, subscribe, setError, setFocus } = form;

  useEffect(() => {
    // The details of a hold may have been sent from another tab.
    const draft =
      readBookingDraft(username).details ?? readHold(username)?.details ?? BLANK_DETAILS;
    const details = toDetails((field) => typedValues[field] || draft[field]);
    if (!isBlank(details)) {
      // With the blank default values, the form counts a restored draft as a change.
      reset(details, { keepDefaultValues: true });
      saveBookingDraft(username, { details });
    }
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
    /** Has rules while the client can choose the country of the phone number. */
    phoneRules,
    /** Empties the form and deletes its draft. @returns the values before */
    clearForm(): Details {
      const values = toDetails((field) => getValues(field) ?? '');
      reset(BLANK_DETAILS);
      clearBookingDraft(username);
      // Blank, so that a reload does not fill the form with the details of a hold.
      if (readHold(username)) saveBookingDraft(username, { details: BLANK_DETAILS });
      return values;
    },
    /** Restores values in the fields that are empty. */
    restoreForm(earlier: Details): void {
      const details = toDetails((field) => getValues(field) || earlier[field]);
      reset(details, { keepDefaultValues: true });
      saveBookingDraft(username, { details });
    },
    /** Focuses the first field with an error of the form's schema. */
    focusInvalid(errors: FieldErrors<AppointmentFormInput>): void {
      focusFirst((field) => errors[field] !== undefined);
    },
    /** Shows the API's errors at their fields, and focuses the first field. */
    showInvalid({ fields }: Extract<SubmitResult, { kind: 'invalid' }>): void {
      for (const { field, message } of fields) setError(field, { type: 'server', message });
      focusFirst((name) => fields.some(({ field }) => field === name));
    },
  };
}

export type DetailsForm = ReturnType<typeof useDetailsForm>;

/**
 * Validates the form: collects all errors of each field, of which the first is shown. `zodResolver` would be
 * larger, because it also does nested fields.
 * @param isPhone says whether a phone number keeps the rules of its country, which the contract does not know
 */
function createResolver(
  isPhone: (phone: string) => boolean,
): Resolver<AppointmentFormInput, unknown, AppointmentForm> {
  const phone = z.string().check(z.refine(isPhone, 'Invalid phone number'));
  const schema = z.extend(AppointmentForm, { phone_number: z.pipe(z.nullish(phone), Phone) });
  return (values) => {
    const { data, error } = schema.safeParse(values);
    if (data) return { values: data, errors: {} };
    const errors: FieldErrors<AppointmentFormInput> = {};
    for (const { path, code, message } of error.issues) {
      const field = toDetailField(path[0]);
      // The schema has no other fields.
      if (!field) throw error;
      const known = errors[field];
      const types = { ...known?.types, [code]: message };
      errors[field] = { type: code, message, ...known, types };
    }
    return { values: {}, errors };
  };
}

/** What the client typed into the inputs that our server rendered. */
function valuesTypedBeforeHydration(): Details {
  if (typeof document === 'undefined') return BLANK_DETAILS;
  const form = document.getElementById(APPOINTMENT_FORM_ID);
  if (!(form instanceof HTMLFormElement)) return BLANK_DETAILS;
  const values = new FormData(form);
  return toDetails((field) => toText(values.get(field)));
}
