import { runJourneys } from './run_journeys.ts';
import { openWebKit } from './webdriver.ts';

runJourneys('webkit', openWebKit);
