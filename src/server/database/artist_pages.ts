/**
 * Artists with a public page, each with the lists that a page shows, in one statement. Former
 * usernames find their artist too, in two more.
 */
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { MAX_PAGE_SIZE } from '#domain/list_limits.ts';
import { selectPublicArtist } from './artists.ts';
import { builtOnce } from './built_once.ts';
import { selectOrderedDesigns } from './designs.ts';
import { orByFormerUsername } from './former_usernames.ts';
import { selectOrderedPortfolio } from './images.ts';
import { selectOrderedServices } from './services.ts';

/** In the query of a list: the id in the row of the artist. */
const ARTIST_ID = sql.ref<string>('artists.id');
const ONLY_AVAILABLE = { onlyAvailable: true };

/** An artist without designs shows the services. */
export const findArtistWithDesigns = orByFormerUsername(
  builtOnce((database, username) => {
    const designs = selectOrderedDesigns(database, ARTIST_ID, 'listed').limit(MAX_PAGE_SIZE);
    const services = selectOrderedServices(database, ARTIST_ID, ONLY_AVAILABLE).limit(
      MAX_PAGE_SIZE,
    );
    return selectPublicArtist(database, username).select([
      jsonArrayFrom(designs).as('designs'),
      jsonArrayFrom(services).as('services'),
    ]);
  }),
);

export const findArtistWithServices = orByFormerUsername(
  builtOnce((database, username) => {
    const services = selectOrderedServices(database, ARTIST_ID, ONLY_AVAILABLE).limit(
      MAX_PAGE_SIZE,
    );
    return selectPublicArtist(database, username).select(jsonArrayFrom(services).as('services'));
  }),
);

export const findArtistWithPortfolio = orByFormerUsername(
  builtOnce((database, username) => {
    const portfolio = selectOrderedPortfolio(database, ARTIST_ID).limit(MAX_PAGE_SIZE);
    return selectPublicArtist(database, username).select(jsonArrayFrom(portfolio).as('portfolio'));
  }),
);
