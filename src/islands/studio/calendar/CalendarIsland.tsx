import { StudioLayout } from '../StudioLayout.tsx';
import { Calendar } from './Calendar.tsx';

/** The artist's days: what is booked, when the studio is open, and when it is off. */
export default function CalendarIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout productName={productName} page="calendar" title="Calendar">
      {(me) => <Calendar me={me} />}
    </StudioLayout>
  );
}
