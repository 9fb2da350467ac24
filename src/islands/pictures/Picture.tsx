import type { UploadedImage } from '#contract/image.ts';

interface PictureProps {
  readonly image: UploadedImage;
  /** The `sizes` attribute: how wide the picture is shown. */
  readonly sizes: string;
  /** Of the box around the picture; it sets the size. */
  readonly className?: string;
  readonly fit: 'contain' | 'cover';
}

/** An uploaded picture in the best format and width, over a few enlarged pixels until it loads. */
export function Picture({ image, sizes, className = '', fit }: PictureProps) {
  const { width, height, placeholder } = image;
  return (
    <span className={`relative block overflow-hidden ${className}`}>
      {placeholder !== null && (
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio={fit === 'cover' ? 'xMidYMid slice' : 'xMidYMid meet'}
          className="absolute inset-0 size-full"
        >
          <image href={placeholder} width={width} height={height} preserveAspectRatio="none" />
        </svg>
      )}
      <picture className="contents">
        {image.sources.map(({ type, srcset }) => (
          <source key={type} type={type} srcSet={srcset} sizes={sizes} />
        ))}
        <img
          src={image.file_url}
          alt={image.title}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          className={`relative size-full ${fit === 'cover' ? 'object-cover' : 'object-contain'}`}
        />
      </picture>
    </span>
  );
}
