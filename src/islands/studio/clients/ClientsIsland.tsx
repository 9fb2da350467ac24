import { Studio } from '../Studio.tsx';
import { Clients } from './Clients.tsx';
import { ExportButton } from './ExportButton.tsx';

export default function ClientsIsland({ productName }: { productName: string }) {
  return (
    <Studio productName={productName} section="clients" title="Clients" actions={<ExportButton />}>
      {(me) => <Clients me={me} />}
    </Studio>
  );
}
