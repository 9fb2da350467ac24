import { configure } from '@testing-library/react';

// A busy machine exceeds the default of one second.
configure({ asyncUtilTimeout: 10_000 });
