import { StudioLayout } from '../StudioLayout.tsx';
import { Profile } from './Profile.tsx';

export default function ProfileIsland({ productName }: { productName: string }) {
  return (
    <StudioLayout productName={productName} page="profile" title="Profile">
      {(me) => <Profile me={me} />}
    </StudioLayout>
  );
}
