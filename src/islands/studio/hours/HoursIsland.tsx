import { StudioLayout } from '../StudioLayout.tsx';
import { HoursForm } from './HoursForm.tsx';

/** When the studio is open, and how far ahead it can be booked. */
export default function HoursIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout productName={productName} page="hours" title="Hours">
      {(me) => <HoursForm me={me} />}
    </StudioLayout>
  );
}
