import { changeService, createService, deleteService, listOwnServices } from '#client/services.ts';
import type { NewService, Service } from '#contract/service.ts';
import { artistApi } from '../session.ts';
import { showSuccessToast } from '../toasts.ts';
import { createOrderedList } from './ordered_list.ts';

/** The artist's services, hidden ones included, in the order that clients see. */
export const services = createOrderedList<Service>({
  resource: 'services',
  list: listOwnServices,
  move: (http, id, position) => changeService(http, id, { position }),
  remove: deleteService,
});

/** Adds a service. @throws what the API refused */
export async function addService(service: NewService): Promise<void> {
  services.append(await createService(artistApi(), service));
  showSuccessToast('Service added.', `“${service.name}” is in your list.`);
}

/** Changes a service. @throws what the API refused */
export async function saveService(id: string, service: NewService): Promise<void> {
  services.applyUpdate(await changeService(artistApi(), id, service));
  showSuccessToast('Saved.', `“${service.name}” was changed.`);
}

/** Lets clients book it, or no longer. */
export function setServiceAvailable(service: Service, is_available: boolean): Promise<void> {
  return services.change(service, 'is_available', is_available, () =>
    changeService(artistApi(), service.id, { is_available }),
  );
}
