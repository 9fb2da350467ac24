import { StudioLayout } from '../StudioLayout.tsx';
import { Billing } from './Billing.tsx';

export default function BillingIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout productName={productName} page="billing" title="Billing">
      {(me) => <Billing me={me} productName={productName} />}
    </StudioLayout>
  );
}
