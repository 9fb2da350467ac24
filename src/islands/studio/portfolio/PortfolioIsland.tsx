import { portfolioUploads } from '#stores/studio/portfolio.ts';
import { AddPicturesButton } from '../artwork/AddPicturesButton.tsx';
import { Icon } from '../Icon.tsx';
import { StudioLayout } from '../StudioLayout.tsx';
import { Portfolio } from './Portfolio.tsx';

export default function PortfolioIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout
      productName={productName}
      page="portfolio"
      title="Portfolio"
      actions={
        <AddPicturesButton onFiles={portfolioUploads.add}>
          <Icon name="plus" />
          Add pictures
        </AddPicturesButton>
      }
    >
      {() => <Portfolio />}
    </StudioLayout>
  );
}
