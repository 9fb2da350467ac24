import { bookAt, inHands, type Wish } from './bookings.ts';
import { doTasks } from './worker.ts';

export interface BookingTask {
  readonly url: string;
  readonly username: string;
  readonly clients: number;
  readonly wishes: readonly Wish[];
}

// Clients in a process of their own; they answer with the bookings a second.
doTasks<BookingTask, number>(async ({ url, username, clients, wishes }) => {
  const seconds = await inHands(clients, wishes, (wish) => bookAt(url, username, wish));
  return wishes.length / seconds;
});
