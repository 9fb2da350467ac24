import { portfolioUploads } from '#stores/studio/portfolio.ts';
import { AddPictures } from '../artwork/AddPictures.tsx';
import { Icon } from '../Icon.tsx';
import { Studio } from '../Studio.tsx';
import { Portfolio } from './Portfolio.tsx';

export default function PortfolioIsland({ productName }: { productName: string }) {
  return (
    <Studio
      productName={productName}
      section="portfolio"
      title="Portfolio"
      actions={
        <AddPictures onFiles={portfolioUploads.add}>
          <Icon name="plus" />
          Add pictures
        </AddPictures>
      }
    >
      {() => <Portfolio />}
    </Studio>
  );
}
