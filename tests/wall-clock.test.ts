import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const READS_WALL_CLOCK = /clock\(\)|Date\.now\b/

/** Reasons for reading the wall clock, which operators and NTP may adjust. Everything else uses `MonotonicClock`. */
const REASONS = {
  stored: 'compares with or writes times that outlive the process',
  shown: 'tells a time or an age to people, logs, series, or other processes, and decides nothing by it',
  calendar: 'needs the date or the hour',
  injected: 'hands the clock on',
} as const

const READERS: Readonly<Record<string, keyof typeof REASONS>> = {
  'packages/edge/src/edge-process.ts': 'injected',
  'packages/edge/src/edge-setup.ts': 'injected',
  'packages/edge/src/edge.ts': 'shown',
  'packages/edge/src/environments/scope-source.ts': 'shown',
  'packages/edge/src/http/backstage-routes.ts': 'shown',
  'packages/edge/src/http/evaluation-target.ts': 'calendar',
  'packages/edge/src/http/telemetry.ts': 'shown',
  'packages/edge/src/usage/bulk-bucket.ts': 'calendar',
  'packages/edge/src/usage/bulk-reporter.ts': 'shown',
  'packages/edge/src/workers/edge-worker.ts': 'injected',
  'packages/kit/src/files/replace-file.ts': 'stored',
  'packages/kit/src/http/app.ts': 'shown',
  'packages/kit/src/log/logger.ts': 'shown',
  'packages/kit/src/series/process-series.ts': 'shown',
  'packages/proxy/src/proxy-setup.ts': 'injected',
  'packages/proxy/src/upstream/connection.ts': 'shown',
  'packages/proxy/src/usage/metrics-bucket.ts': 'calendar',
  'packages/proxy/src/usage/reporter.ts': 'shown',
  'packages/server/src/http/access/inactive-user-routes.ts': 'stored',
  'packages/server/src/http/access/user-routes.ts': 'stored',
  'packages/server/src/http/app.ts': 'stored',
  'packages/server/src/http/features/search-routes.ts': 'stored',
  'packages/server/src/http/invitations/invite-link-routes.ts': 'stored',
  'packages/server/src/http/projects/project-routes.ts': 'stored',
  'packages/server/src/http/projects/project-status-routes.ts': 'stored',
  'packages/server/src/http/sdk/evaluation-target.ts': 'calendar',
  'packages/server/src/http/transfer/state-routes.ts': 'calendar',
  'packages/server/src/http/usage/application-routes.ts': 'stored',
  'packages/server/src/http/usage/statistics-routes.ts': 'stored',
  'packages/server/src/http/usage/usage-routes.ts': 'calendar',
  'packages/server/src/operator/doctor.ts': 'stored',
  'packages/server/src/operator/restore.ts': 'stored',
  'packages/server/src/server.ts': 'shown',
  'packages/server/src/services/access/logins/login-history.ts': 'stored',
  'packages/server/src/services/access/logins/sessions.ts': 'stored',
  'packages/server/src/services/access/logins/standing.ts': 'stored',
  'packages/server/src/services/access/logins/stream-holders.ts': 'stored',
  'packages/server/src/services/access/passwords/password-reset.ts': 'stored',
  'packages/server/src/services/access/people/first-login.ts': 'stored',
  'packages/server/src/services/access/tokens/last-known-tokens.ts': 'stored',
  'packages/server/src/services/access/tokens/token-cache.ts': 'stored',
  'packages/server/src/services/access/tokens/token-watch.ts': 'stored',
  'packages/server/src/services/change-requests/schedule.ts': 'stored',
  'packages/server/src/services/documents/following-reads.ts': 'shown',
  'packages/server/src/services/execute.ts': 'stored',
  'packages/server/src/services/features/lifetimes.ts': 'stored',
  'packages/server/src/services/impact/impact.ts': 'calendar',
  'packages/server/src/services/import/administered-import.ts': 'calendar',
  'packages/server/src/services/integrations/deliverer.ts': 'stored',
  'packages/server/src/services/integrations/delivery-log.ts': 'stored',
  'packages/server/src/services/integrations/delivery.ts': 'shown',
  'packages/server/src/services/invitations/invite-links.ts': 'stored',
  'packages/server/src/services/kept/state-keeper.ts': 'stored',
  'packages/server/src/services/news-feed.ts': 'shown',
  'packages/server/src/services/presence/flag-presence.ts': 'stored',
  'packages/server/src/services/projects/figures.ts': 'stored',
  'packages/server/src/services/projects/project-pages.ts': 'stored',
  'packages/server/src/services/retention/retention.ts': 'stored',
  'packages/server/src/services/shared-broadcast.ts': 'shown',
  'packages/server/src/services/stale/stale-flags.ts': 'stored',
  'packages/server/src/services/telemetry.ts': 'shown',
  'packages/server/src/services/usage/sdk-gaps.ts': 'stored',
  'packages/server/src/services/usage/usage.ts': 'stored',
  'packages/server/src/store/embedded/directory-lock.ts': 'stored',
  'packages/server/src/store/migrations.ts': 'stored',
  'packages/server/src/store/postgres/primary.ts': 'shown',
  'packages/serving/src/document/repository.ts': 'shown',
  'packages/serving/src/sdk/flag-streams.ts': 'shown',
}

test('every file that reads the wall clock says why it is not the monotonic one', () => {
  const files = globSync('packages/{server,edge,proxy,kit,serving}/src/**/*.ts', { cwd: ROOT })
  const readers = files.filter((path) => !path.endsWith('.test.ts') && READS_WALL_CLOCK.test(codeOf(path)))
  expect(readers.sort()).toEqual(Object.keys(READERS).sort())
})

/** Returns the source without comments. */
function codeOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
