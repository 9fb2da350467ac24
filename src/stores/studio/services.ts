import { changeService, createService, deleteService, listOwnServices } from '#client/services.ts';
import type { NewService, Service } from '#contract/service.ts';
import { MAX_PAGE_SIZE } from '#domain/list_limits.ts';
import { artistApi } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { createOrderedList } from './ordered_list.ts';
import { createQuery } from './queries.ts';

/** The list on the services page: hidden services included, in the order that clients see. */
export const services = createOrderedList<Service>({
  resource: 'services',
  list: listOwnServices,
  move: (http, id, position) => changeService(http, id, { position }),
  remove: deleteService,
});

/** For inputs where the artist chooses a service; lists at most `MAX_PAGE_SIZE` services. */
export const $allServices = createQuery<readonly Service[]>(['services', 'all'], {
  fetcher: async () => (await listOwnServices(artistApi(), { limit: MAX_PAGE_SIZE })).data,
});

/** Creates a service and shows success. @throws ApiError */
export async function addService(service: NewService): Promise<void> {
  services.append(await createService(artistApi(), service));
  showSuccessToast('Service added.', `“${service.name}” is in your list.`);
}

/** Changes a service and shows success. @throws ApiError */
export async function saveService(id: string, service: NewService): Promise<void> {
  services.applyUpdate(await changeService(artistApi(), id, service));
  showSuccessToast('Saved.', `“${service.name}” was changed.`);
}

/** Shows a service to clients, or hides it; a toast shows an error. */
export function setServiceAvailable(service: Service, is_available: boolean): Promise<void> {
  return services.changeField(service, 'is_available', is_available, () =>
    changeService(artistApi(), service.id, { is_available }),
  );
}
