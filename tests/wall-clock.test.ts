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
  'packages/edge/src/usage/downstream-holdings.ts': 'shown',
  'packages/edge/src/usage/holdings-reporter.ts': 'shown',
  'packages/edge/src/workers/edge-worker.ts': 'injected',
  'packages/edge/src/workers/forwarded-holdings.ts': 'shown',
  'packages/kit/src/files/replace-file.ts': 'stored',
  'packages/kit/src/http/app.ts': 'shown',
  'packages/kit/src/log/logger.ts': 'shown',
  'packages/kit/src/series/process-series.ts': 'shown',
  'packages/kit/src/otel/collector-connection.ts': 'shown',
  'packages/kit/src/otel/request-tracing.ts': 'shown',
  'packages/proxy/src/proxy-setup.ts': 'injected',
  'packages/proxy/src/upstream/connection.ts': 'shown',
  'packages/proxy/src/usage/metrics-bucket.ts': 'calendar',
  'packages/proxy/src/usage/reporter.ts': 'shown',
  'packages/server/src/admin/agents/agent-changes.ts': 'stored',
  'packages/server/src/admin/access/session-routes.ts': 'stored',
  'packages/server/src/admin/access/inactive-user-routes.ts': 'stored',
  'packages/server/src/admin/access/user-routes.ts': 'stored',
  'packages/server/src/admin/agents/tools/list-tools.ts': 'stored',
  'packages/server/src/admin/agents/tools/preview-tools.ts': 'calendar',
  'packages/server/src/admin/fleet/delivery-events.ts': 'stored',
  'packages/server/src/admin/fleet/delivery-view.ts': 'shown',
  'packages/server/src/admin/fleet/fleet-view.ts': 'shown',
  'packages/server/src/admin/code-references/scanner-routes.ts': 'stored',
  'packages/server/src/admin/removal/removal.ts': 'stored',
  'packages/server/src/boot/server-app.ts': 'stored',
  'packages/server/src/admin/flags/search-routes.ts': 'stored',
  'packages/server/src/admin/impact-metrics/impact-metric-routes.ts': 'stored',
  'packages/server/src/admin/impact-metrics/prometheus-routes.ts': 'stored',
  'packages/server/src/admin/impact/traffic-sample.ts': 'shown',
  'packages/server/src/admin/invitations/invite-link-routes.ts': 'stored',
  'packages/server/src/admin/projects/project-routes.ts': 'stored',
  'packages/server/src/admin/projects/project-status-routes.ts': 'stored',
  'packages/server/src/delivery/fleet/edge-reports.ts': 'shown',
  'packages/server/src/delivery/fleet/fleet-book.ts': 'shown',
  'packages/server/src/delivery/fleet/node-exchange.ts': 'shown',
  'packages/server/src/delivery/routes/evaluation-target.ts': 'calendar',
  'packages/server/src/admin/transfer/state-routes.ts': 'calendar',
  'packages/server/src/admin/usage/application-routes.ts': 'stored',
  'packages/server/src/admin/usage/statistics-routes.ts': 'stored',
  'packages/server/src/admin/usage/usage-routes.ts': 'calendar',
  'packages/server/src/boot/operator/doctor.ts': 'stored',
  'packages/server/src/boot/operator/restore.ts': 'stored',
  'packages/server/src/boot/boot-steps.ts': 'shown',
  'packages/server/src/core/access/logins/login-history.ts': 'stored',
  'packages/server/src/core/access/logins/sessions.ts': 'stored',
  'packages/server/src/core/access/logins/caller-permissions.ts': 'stored',
  'packages/server/src/core/access/logins/stream-holders.ts': 'stored',
  'packages/server/src/admin/access/people/password-reset.ts': 'stored',
  'packages/server/src/admin/access/people/first-login.ts': 'stored',
  'packages/server/src/core/access/tokens/last-known-tokens.ts': 'stored',
  'packages/server/src/core/access/tokens/token-cache.ts': 'stored',
  'packages/server/src/core/access/tokens/token-watch.ts': 'stored',
  'packages/server/src/core/due-schedule.ts': 'stored',
  'packages/server/src/delivery/impact/impact-reports.ts': 'stored',
  'packages/server/src/delivery/documents/following-reads.ts': 'shown',
  'packages/server/src/core/execute.ts': 'stored',
  'packages/server/src/core/http/system-routes.ts': 'stored',
  'packages/server/src/admin/flags/potentially-stale.ts': 'stored',
  'packages/server/src/admin/impact/impact.ts': 'calendar',
  'packages/server/src/admin/releases/safeguard-schedule.ts': 'stored',
  'packages/server/src/admin/signals/signal-endpoints.ts': 'stored',
  'packages/server/src/admin/import/administered-import.ts': 'calendar',
  'packages/server/src/admin/inbox/inbox-routes.ts': 'stored',
  'packages/server/src/admin/integrations/deliverer.ts': 'stored',
  'packages/server/src/admin/integrations/delivery-log.ts': 'stored',
  'packages/server/src/admin/integrations/integration-delivery.ts': 'shown',
  'packages/server/src/admin/invitations/invite-links.ts': 'stored',
  'packages/server/src/delivery/snapshots/snapshot-writer.ts': 'stored',
  'packages/server/src/admin/events/admin-event-stream.ts': 'shown',
  'packages/server/src/admin/notifications/notifications.ts': 'stored',
  'packages/server/src/admin/presence/flag-presence.ts': 'stored',
  'packages/server/src/admin/projects/figures.ts': 'stored',
  'packages/server/src/admin/projects/project-pages.ts': 'stored',
  'packages/server/src/admin/retention/retention.ts': 'stored',
  'packages/server/src/delivery/events/database-contact.ts': 'shown',
  'packages/server/src/delivery/events/notification-status.ts': 'shown',
  'packages/server/src/delivery/documents/documents.ts': 'stored',
  'packages/server/src/admin/stale/stale-inbox.ts': 'stored',
  'packages/server/src/delivery/documents/document-series.ts': 'shown',
  'packages/server/src/admin/test-runs/test-run-changes.ts': 'stored',
  'packages/server/src/delivery/test-runs/test-runs.ts': 'stored',
  'packages/server/src/admin/usage/sdk-gaps.ts': 'stored',
  'packages/server/src/delivery/usage/usage-buffer.ts': 'stored',
  'packages/serving/src/connections/connection-book.ts': 'shown',
  'packages/serving/src/connections/page-book.ts': 'shown',
  'packages/storage/src/drivers/sqlite/directory-lock.ts': 'stored',
  'packages/storage/src/migrations.ts': 'stored',
  'packages/storage/src/drivers/postgres/primary-server.ts': 'shown',
  'packages/serving/src/document/repository.ts': 'shown',
  'packages/serving/src/sdk/flag-streams.ts': 'shown',
}

test('every file that reads the wall clock says why it is not the monotonic one', () => {
  const files = globSync('packages/{server,storage,edge,proxy,kit,serving}/src/**/*.ts', { cwd: ROOT })
  const readers = files.filter((path) => !path.endsWith('.test.ts') && READS_WALL_CLOCK.test(codeOf(path)))
  expect(readers.sort()).toEqual(Object.keys(READERS).sort())
})

/** Returns the source without comments. */
function codeOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
