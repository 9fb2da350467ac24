import { Studio } from '../Studio.tsx';
import { Billing } from './Billing.tsx';

export default function BillingIsland({ productName }: { productName: string }) {
  return (
    <Studio productName={productName} section="billing" title="Billing">
      {(me) => <Billing me={me} productName={productName} />}
    </Studio>
  );
}
