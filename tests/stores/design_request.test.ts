import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppointmentForm } from '#contract/appointment_form.ts';
import { readBookingDraft } from '#stores/booking_draft.ts';
import { createDesignRequest } from '#stores/design_request.ts';
import { APPOINTMENT_ID, fakeBookingApi, problemResponse } from '#support/fake_api.ts';
import { ROSA_DETAILS } from '#support/sample_people.ts';

const DESIGN_ID = '6c1f3f6e-6f0a-4f5e-9d4e-3a1f5d1f0d01';
const DETAILS = AppointmentForm.parse(ROSA_DETAILS);

let api: ReturnType<typeof fakeBookingApi>;

beforeEach(() => {
  sessionStorage.clear();
  api = fakeBookingApi();
});
afterEach(() => vi.unstubAllGlobals());

const open = () => createDesignRequest({ username: 'bo', designId: DESIGN_ID });
const keys = () => api.requests().map(({ idempotencyKey: key }) => key);

test('a request names the artist and the design', async () => {
  expect(await open().submitRequest(DETAILS)).toEqual({ kind: 'sent', id: APPOINTMENT_ID });
  const [sent] = api.requests();
  expect(sent?.path).toBe('appointments/request/design');
  expect(sent?.query.get('username')).toBe('bo');
  expect(sent?.body).toMatchObject({ design_id: DESIGN_ID, first_name: 'Rosa' });
});

test('a request without an answer is repeated under the same key, also after a reload', async () => {
  const request = open();
  api.answerNext('lost');
  api.answerNext('lost');
  await request.submitRequest(DETAILS);
  await request.submitRequest(DETAILS);
  await open().submitRequest(DETAILS);
  expect(new Set(keys()).size).toBe(1);
  expect(keys()).toHaveLength(3);
});

test('a conflict gives the next try another key', async () => {
  const request = open();
  api.answerNext(problemResponse(409, 'The design was booked by someone else'));
  expect(await request.submitRequest(DETAILS)).toEqual({ kind: 'conflict' });
  expect(readBookingDraft('bo').requestIdempotencyKey).toBeNull();
  await request.submitRequest(DETAILS);
  expect(new Set(keys()).size).toBe(2);
});

test('the next request after one that was sent has another key', async () => {
  const request = open();
  await request.submitRequest(DETAILS);
  request.resetSubmission();
  await request.submitRequest(DETAILS);
  expect(new Set(keys()).size).toBe(2);
});
