import type { Confirmation } from '#contract/appointment.ts';
import type { Service } from '#contract/service.ts';
import { expectOk } from './call_api.ts';
import { openTestApp, type TestApp } from './test_app.ts';

/** An application and an artist, whose service gets a price. */
export async function openPricedApp(kind: 'service' | 'managed' = 'service') {
  const app = await openTestApp();
  const artist = await app.newArtist({ scheduling_type: kind });
  const { token } = artist;
  const change = <T>(call: string, json: object) =>
    expectOk(app.call<T>(`PATCH ${call}`, { token, json }));
  return {
    ...{ app, artist, token, change },
    setServicePrice: (price: object | null) =>
      change<Service>(`/services/${artist.service.id}`, { price }),
  };
}

/** What the client's page of an appointment shows. */
export function fetchConfirmation(app: TestApp, id: string) {
  return expectOk(app.call<Confirmation>(`GET /appointments/confirmation/${id}`));
}
