/** Promise that Burgee makes to operators, and the tests that check it. */
export interface PromiseRow {
  readonly id: `P${number}`
  readonly promise: string
  readonly files: readonly string[]
}

/** All promises, in order. */
export const PROMISES: readonly PromiseRow[] = [
  {
    id: 'P1',
    promise: 'evaluation never depends on database or upstream after the first sync',
    files: [
      'tests/chaos/evaluation.test.ts',
      'tests/chaos/full-disk.test.ts',
      'tests/chaos/full-file-system.test.ts',
      'tests/edge/processes/life.test.ts',
    ],
  },
  {
    id: 'P2',
    promise: 'kill -9 loses no acknowledged write, and work that is due happens once',
    files: [
      'tests/store/kill.test.ts',
      'tests/store/nodes.test.ts',
      'tests/chaos/deliveries.test.ts',
      'tests/chaos/change-requests.test.ts',
      'tests/chaos/release-plans.test.ts',
      'tests/chaos/safeguards.test.ts',
      'tests/chaos/imports.test.ts',
    ],
  },
  {
    id: 'P3',
    promise: 'restarted with everything behind it down, it serves the last good state and says that it is stale',
    files: [
      'tests/chaos/kept.test.ts',
      'tests/chaos/nonsense.test.ts',
      'tests/chaos/start.test.ts',
      'tests/edge/processes/life.test.ts',
    ],
  },
  {
    id: 'P4',
    promise: 'a change reaches every node and every polling SDK within one interval',
    files: ['tests/chaos/propagation.test.ts', 'tests/chaos/revocation.test.ts'],
  },
  {
    id: 'P5',
    promise: 'nothing of another project or environment leaks',
    files: ['tests/chaos/isolation.test.ts', 'tests/edge/http/scopes.test.ts'],
  },
  {
    id: 'P6',
    promise: 'rolling restart and upgrade: no failed SDK request',
    files: ['tests/chaos/rolling-restart.test.ts', 'tests/chaos/upgrade.test.ts', 'tests/chaos/workers.test.ts'],
  },
  {
    id: 'P7',
    promise: 'memory and disk are bounded under hostile names',
    files: ['tests/chaos/bounded.test.ts'],
  },
  {
    id: 'P8',
    promise: 'same input, same result in server, proxy, playground and official SDK',
    files: ['tests/conformance/differential.test.ts', 'tests/http/playground/playground-truth.test.ts'],
  },
  {
    id: 'P9',
    promise: 'garbage, truncated or older configuration never replaces good data',
    files: [
      'tests/chaos/nonsense.test.ts',
      'tests/proxy/upstream/taken-flags.test.ts',
      'tests/proxy/http/robustness.test.ts',
    ],
  },
  {
    id: 'P10',
    promise: 'a backup holds what was acknowledged, and a restore serves it',
    files: ['tests/e2e/backup.test.ts'],
  },
  {
    id: 'P11',
    promise: 'nobody takes it from those who use it: memory, disk and SDK latency are bounded under attack',
    files: ['tests/chaos/hostile.test.ts', 'tests/chaos/hostile-bodies.test.ts'],
  },
  {
    id: 'P12',
    promise: 'a failover of PostgreSQL: no flag of a former primary or a standby, no restart, no failed SDK request',
    files: [
      'tests/chaos/failover.test.ts',
      'tests/chaos/balanced-failover.test.ts',
      'tests/chaos/failover-probes.test.ts',
    ],
  },
]
