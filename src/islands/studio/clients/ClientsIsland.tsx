import { StudioLayout } from '../StudioLayout.tsx';
import { Clients } from './Clients.tsx';
import { ExportButton } from './ExportButton.tsx';

export default function ClientsIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout
      productName={productName}
      page="clients"
      title="Clients"
      actions={<ExportButton />}
    >
      {(me) => <Clients me={me} />}
    </StudioLayout>
  );
}
