import { Studio } from '../Studio.tsx';
import { Profile } from './Profile.tsx';

export default function ProfileIsland({ productName }: { productName: string }) {
  return (
    <Studio productName={productName} section="profile" title="Profile">
      {(me) => <Profile me={me} />}
    </Studio>
  );
}
