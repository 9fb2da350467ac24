import { openFirefox } from './firefox.ts';
import { runJourneys } from './run_journeys.ts';

runJourneys('firefox', openFirefox);
