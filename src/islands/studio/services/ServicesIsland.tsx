import { open } from '#stores/studio/opened.ts';
import { Icon } from '../Icon.tsx';
import { Studio } from '../Studio.tsx';
import { Services } from './Services.tsx';

export default function ServicesIsland({ productName }: { productName: string }) {
  return (
    <Studio
      productName={productName}
      section="services"
      title="Services"
      actions={
        <button type="button" className="button button-main" onClick={() => open('new')}>
          <Icon name="plus" />
          Add service
        </button>
      }
    >
      {(me) => <Services me={me} />}
    </Studio>
  );
}
