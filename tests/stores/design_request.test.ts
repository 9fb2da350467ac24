import { beforeEach, expect, test } from 'vitest';
import { AppointmentForm } from '#contract/appointment_form.ts';
import { readBookingDraft } from '#stores/booking_draft.ts';
import { createDesignRequest } from '#stores/design_request.ts';
import { fakeBookingApi, problemResponse } from '#support/fake_api.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';

const DESIGN_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0d01';
const DETAILS = AppointmentForm.parse(ROSA_DETAILS);

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  api = fakeBookingApi();
});

const openRequest = () =>
  createDesignRequest({ username: 'bo', designId: DESIGN_ID, serviceId: null });
const sentKeys = () => api.requests().map(({ idempotencyKey: key }) => key);

test('a request without an answer is repeated with the same idempotency key, also after a reload', async () => {
  const request = openRequest();
  api.answerNext('lost');
  api.answerNext('lost');
  await request.submitRequest(DETAILS);
  await request.submitRequest(DETAILS);
  await openRequest().submitRequest(DETAILS);
  expect(new Set(sentKeys()).size).toBe(1);
  expect(sentKeys()).toHaveLength(3);
});

test('after a conflict the next attempt has a new idempotency key', async () => {
  const request = openRequest();
  api.answerNext(problemResponse(409, 'The design was booked by someone else'));
  expect(await request.submitRequest(DETAILS)).toMatchObject({ kind: 'conflict' });
  expect(readBookingDraft('bo').requestIdempotencyKey).toBeNull();
  await request.submitRequest(DETAILS);
  expect(new Set(sentKeys()).size).toBe(2);
});
