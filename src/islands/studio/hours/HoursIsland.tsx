import { Studio } from '../Studio.tsx';
import { Hours } from './Hours.tsx';

/** When the studio is open, and how far ahead it can be booked. */
export default function HoursIsland({ productName }: { productName: string }) {
  return (
    <Studio productName={productName} section="hours" title="Hours">
      {(me) => <Hours me={me} />}
    </Studio>
  );
}
