import { type BookingRequest, bookOverHttp, runClients } from './bookings.ts';
import { handleTasks } from './task_worker.ts';

export interface BookingTask {
  readonly url: string;
  readonly username: string;
  readonly clients: number;
  readonly bookings: readonly BookingRequest[];
}

// Clients in a process of their own; they answer with the bookings a second.
handleTasks<BookingTask, number>(async ({ url, username, clients, bookings: wishes }) => {
  const seconds = await runClients(clients, wishes, (wish) => bookOverHttp(url, username, wish));
  return wishes.length / seconds;
});
