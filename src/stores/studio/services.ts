import * as endpoints from '#contract/endpoints.ts';
import type { NewService, Service, ServiceChanges } from '#contract/service.ts';
import { callAsArtist } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { createOrderedList } from './ordered_list.ts';

/** The list on the services page: hidden services included, in the order that clients see. */
export const services = createOrderedList<Service, ServiceChanges>({
  resource: 'services',
  list: (query) => callAsArtist(endpoints.listOwnServices, { query }),
  change: (id, body) => callAsArtist(endpoints.changeService, { path: { service_id: id }, body }),
  remove: (id) => callAsArtist(endpoints.deleteService, { path: { service_id: id } }),
});

/** Creates a service and shows success. @throws ApiError */
export async function addService(service: NewService): Promise<void> {
  services.append(await callAsArtist(endpoints.createService, { body: service }));
  showSuccessToast('Service added.', `“${service.name}” is in your list.`);
}

/** Changes a service and shows success. @throws ApiError */
export async function saveService(id: string, changes: ServiceChanges): Promise<void> {
  const { name } = await services.save(id, changes);
  showSuccessToast('Saved.', `“${name}” was changed.`);
}
