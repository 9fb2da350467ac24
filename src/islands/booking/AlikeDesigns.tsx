// Loaded only when the chosen design is gone.
import type { AlikeDesign } from '#domain/refusal.ts';

interface AlikeDesignsProps {
  /** The artist's. */
  username: string;
  designs: readonly AlikeDesign[];
}

/** Designs that the client can book in place of one that is gone, with all that they typed. */
export function AlikeDesigns({ username, designs }: AlikeDesignsProps) {
  return (
    <>
      <p>Or take one that is like it:</p>
      <ul aria-label="Designs like it" className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {designs.map(({ id, name, file_url }) => (
          <li key={id} className="min-w-0">
            <a
              className="link inline-flex min-h-11 max-w-full items-center gap-2"
              href={`/${username}/scheduling?design=${id}`}
            >
              <img
                src={file_url}
                alt=""
                width={44}
                height={44}
                className="size-11 shrink-0 bg-flash object-contain"
              />
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
