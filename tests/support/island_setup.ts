import { configure } from '@testing-library/react';

// A busy machine takes longer than the usual second.
configure({ asyncUtilTimeout: 10_000 });
