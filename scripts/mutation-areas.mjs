/**
 * Sources of each area of `npm run mutate`, and the folders and files of its tests. For each mutant, only the test
 * files that execute the changed function are run.
 */
export const AREAS = {
  engine: {
    sources: ['packages/engine/src/**/*.ts'],
    tests: [
      'packages/engine/src',
      'tests/conformance/client-specification.test.ts',
      'tests/conformance/operators.test.ts',
    ],
  },
  access: {
    sources: ['packages/server/src/core/access/**/*.ts', 'packages/server/src/admin/access/**/*.ts'],
    tests: [
      'packages/server/src/core',
      'tests/http/access',
      'tests/http/roles',
      'tests/http/import/import-modes.test.ts',
      'tests/http/import/weak-accounts.test.ts',
      'tests/http/sdk/token-changes.test.ts',
      'tests/http/openfeature/ofrep.test.ts',
      'tests/http/operation/start.test.ts',
    ],
  },
  import: {
    sources: ['packages/import/src/**/*.ts'],
    tests: ['packages/import/src', 'tests/import', 'tests/http/import'],
  },
  serving: {
    sources: ['packages/serving/src/**/*.ts'],
    tests: [
      'packages/serving/src',
      'tests/http/sdk',
      'tests/http/openfeature',
      'tests/proxy/http',
      'tests/proxy/upstream',
    ],
  },
  edge: {
    sources: ['packages/edge/src/**/*.ts'],
    tests: [
      'packages/edge/src',
      'tests/edge/http',
      'tests/edge/tokens',
      'tests/edge/upstream',
      'tests/edge/environments',
      'tests/edge/options',
      'tests/edge/storage',
    ],
  },
}
