import { openChromium } from './chromium.ts';
import { runJourneys } from './run_journeys.ts';

runJourneys('chromium', openChromium);
