import { openDialog } from '#stores/studio/dialog.ts';
import { Icon } from '../Icon.tsx';
import { StudioLayout } from '../StudioLayout.tsx';
import { Services } from './Services.tsx';

export default function ServicesIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout
      productName={productName}
      page="services"
      title="Services"
      actions={
        <button type="button" className="button button-main" onClick={() => openDialog('new')}>
          <Icon name="plus" />
          Add service
        </button>
      }
    >
      {(me) => <Services me={me} />}
    </StudioLayout>
  );
}
