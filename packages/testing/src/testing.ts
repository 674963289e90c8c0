export type { FakeFlag, FakeFlags, FakeVariant } from './fake/fake-flags.ts'
// biome-ignore lint/performance/noBarrelFile: the public interface of the package
export { type FakeServer, type FakeServerSettings, startFakeServer } from './fake/fake-server.ts'
export { type FlagServer, startTestRun, type TestRun, TestRunError, type TestRunSettings } from './run-client.ts'
export { type Hooks, type TestFlags, type TestFlagsSettings, useTestFlags } from './test-flags.ts'
export type { AnyFlags, OverrideChanges, OverrideOf, Overrides } from './typed-flags.ts'
