import { designUploads } from '#stores/studio/designs.ts';
import { AddPictures } from '../artwork/AddPictures.tsx';
import { Icon } from '../Icon.tsx';
import { Studio } from '../Studio.tsx';
import { Designs } from './Designs.tsx';

export default function DesignsIsland({ productName }: { productName: string }) {
  return (
    <Studio
      productName={productName}
      section="designs"
      title="Designs"
      actions={
        <AddPictures onFiles={designUploads.add}>
          <Icon name="plus" />
          Add designs
        </AddPictures>
      }
    >
      {() => <Designs />}
    </Studio>
  );
}
