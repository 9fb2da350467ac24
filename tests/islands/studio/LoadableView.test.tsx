import { render, screen, waitFor } from '@testing-library/react';
import { FormProvider, useForm } from 'react-hook-form';
import { afterEach, expect, test } from 'vitest';
import { ActionsPart } from '#islands/studio/admin/ActionsPart.tsx';
import { Rivals } from '#islands/studio/appointments/OtherAppointments.tsx';
import { SubjectFields } from '#islands/studio/appointments/SubjectFields.tsx';
import { BookedOnDates } from '#islands/studio/calendar/DaysDialog.tsx';
import { ClientAppointments } from '#islands/studio/clients/ClientAppointments.tsx';
import { ClientMailFailures } from '#islands/studio/home/Warnings.tsx';
import { $clientId } from '#stores/studio/clients.ts';
import { type ApiCall, problemResponse } from '#support/fake_api.ts';
import { ANA_SELF, createAppointment, toListed } from '#support/fake_schedule_api.ts';
import { openStudioPage, press, resetStudioPage } from '#support/fake_studio_api.ts';

const { studio } = ANA_SELF;
const ASKED = createAppointment({ id: 'a', status: 'requested', project_id: 'swallow' });
const DAY = '2026-12-04';
const BY_CLIENT = `appointments/by_client/${ASKED.client.id}`;
afterEach(() => resetStudioPage());

const Subject = () => (
  <FormProvider {...useForm()}>
    <SubjectFields currency="USD" booked={null} />
  </FormProvider>
);

test.each([
  ['failed mail', 'mails', <ClientMailFailures me={ANA_SELF} />],
  ['bookings', 'appointments/schedule', <BookedOnDates first={DAY} last={DAY} studio={studio} />],
  ['services', 'services', <Subject />],
  ['other requests', 'appointments/a/rivals', <Rivals appointment={ASKED} zone={studio} />],
  ['payments', BY_CLIENT, <ClientAppointments zone={studio} />],
  ['actions', 'admin/actions', <ActionsPart me={ANA_SELF} />],
])('%s that still load, failed to load or are none differ', async (label, path, part) => {
  let isDown = true;
  // The list of the client's page, not the sum of all their payments.
  const isOther = ({ query }: ApiCall) => label === 'payments' && query.get('limit') === '20';
  openStudioPage('/studio/appointments?id=a', {
    'GET appointments/a': ASKED,
    [`GET ${path}`]: (call) =>
      isDown && !isOther(call) ? problemResponse(503, 'Down for now') : toListed(),
  });
  $clientId.set(ASKED.client.id);
  render(part);
  await screen.findByText(`Loading ${label}…`);
  await screen.findByText(`The ${label} could not be loaded. Down for now`);
  isDown = false;
  await press('Try again');
  await waitFor(() => expect(screen.queryByText(/^(Loading|The) /)).toBeNull());
});
