import { designUploads } from '#stores/studio/designs.ts';
import { AddPicturesButton } from '../artwork/AddPicturesButton.tsx';
import { Icon } from '../Icon.tsx';
import { StudioLayout } from '../StudioLayout.tsx';
import { Designs } from './Designs.tsx';

export default function DesignsIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout
      productName={productName}
      page="designs"
      title="Designs"
      actions={
        <AddPicturesButton onFiles={designUploads.add}>
          <Icon name="plus" />
          Add designs
        </AddPicturesButton>
      }
    >
      {() => <Designs />}
    </StudioLayout>
  );
}
