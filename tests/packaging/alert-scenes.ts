/** Series over which promtool evaluates the alerts of deploy/grafana. */

/** Labels of one process, with the job name of the chart. */
export type Labels = Readonly<Record<string, string>>
const SERVER: Labels = { job: 'flags-burgee-server', namespace: 'live', instance: 'server-1' }
const OTHER_SERVER: Labels = { ...SERVER, instance: 'server-2' }
const STAGING: Labels = { ...SERVER, namespace: 'staging' }
const PROXY: Labels = { job: 'flags-burgee-proxy', namespace: 'live', instance: 'proxy-1' }
const EDGE: Labels = { job: 'flags-burgee-edge', namespace: 'live', instance: 'edge-1' }
const PRODUCTION = { environment: 'production' }

/** Series with one name in the notation of promtool, with one sample per minute. */
type Input = readonly [name: string, labels: Labels, values: string]

/** Series, and the alerts that they must cause at a given time. */
export interface Scene {
  readonly alert: string
  readonly scene: string
  readonly input: readonly Input[]
  /** Minute at which the alerts are evaluated. */
  readonly minute: number
  /** Labels of the alerts that fire at that time; empty if the alert must not fire. */
  readonly firing: readonly Labels[]
}

const requests = (name: string, labels: Labels, failedPerMinute: number): Input[] => [
  [name, { ...labels, status: '200' }, `0+${1000 - failedPerMinute}x30`],
  [name, { ...labels, status: '503' }, `0+${failedPerMinute}x30`],
]
const counts = (name: string, labels: Labels, values: string): Input => [name, labels, values]
const unavailable = { kind: 'unavailable' }

/** For each alert, at least one scene in which it fires and one in which it does not. */
export const SCENES: readonly Scene[] = [
  {
    alert: 'BurgeeDown',
    scene: 'no scrape for two minutes',
    input: [['up', SERVER, '1x5 0x10']],
    minute: 8,
    firing: [SERVER],
  },
  { alert: 'BurgeeDown', scene: 'one failed scrape', input: [['up', SERVER, '1x5 0 1x10']], minute: 8, firing: [] },
  {
    alert: 'BurgeeDown',
    scene: 'another program',
    input: [['up', { job: 'shop', instance: 'a' }, '0x20']],
    minute: 8,
    firing: [],
  },
  {
    alert: 'BurgeeAbsent',
    scene: 'no process is scraped',
    input: [['up', { job: 'shop' }, '1x20']],
    minute: 6,
    firing: [{}],
  },
  {
    alert: 'BurgeeAbsent',
    scene: 'one of two is up',
    input: [
      ['up', SERVER, '1x20'],
      ['up', EDGE, '0x20'],
    ],
    minute: 10,
    firing: [],
  },
  {
    alert: 'BurgeeRestarting',
    scene: 'three starts in half an hour',
    input: [counts('process_start_time_seconds', SERVER, '100x5 200x5 300x5 400x5')],
    minute: 20,
    firing: [SERVER],
  },
  {
    alert: 'BurgeeRestarting',
    scene: 'one deployment',
    input: [counts('process_start_time_seconds', SERVER, '100x5 200x20')],
    minute: 20,
    firing: [],
  },
  {
    alert: 'BurgeeServerFlagsBehind',
    scene: 'two minutes behind',
    input: [['burgee_document_age_seconds', { ...SERVER, ...PRODUCTION }, '0x2 0+60x10']],
    minute: 8,
    firing: [{ ...SERVER, ...PRODUCTION }],
  },
  {
    alert: 'BurgeeServerFlagsBehind',
    scene: 'a short pause',
    input: [['burgee_document_age_seconds', { ...SERVER, ...PRODUCTION }, '0x2 30x20']],
    minute: 8,
    firing: [],
  },
  {
    alert: 'BurgeeServerFromDisk',
    scene: 'ten minutes from disk',
    input: [['burgee_document_kept', { ...SERVER, ...PRODUCTION }, '1x20']],
    minute: 12,
    firing: [{ ...SERVER, ...PRODUCTION }],
  },
  {
    alert: 'BurgeeServerFromDisk',
    scene: 'from the database',
    input: [['burgee_document_kept', { ...SERVER, ...PRODUCTION }, '1x3 0x20']],
    minute: 12,
    firing: [],
  },
  {
    alert: 'BurgeeServersDisagree',
    scene: 'one server stays behind',
    input: [
      ['burgee_revision', SERVER, '100+1x30'],
      ['burgee_revision', OTHER_SERVER, '100x30'],
    ],
    minute: 10,
    firing: [OTHER_SERVER],
  },
  {
    alert: 'BurgeeServersDisagree',
    scene: 'two installations',
    input: [
      ['burgee_revision', SERVER, '5000x30'],
      ['burgee_revision', STAGING, '100x30'],
    ],
    minute: 15,
    firing: [],
  },
  {
    alert: 'BurgeeServersDisagree',
    scene: 'both follow',
    input: [
      ['burgee_revision', SERVER, '100+5x30'],
      ['burgee_revision', OTHER_SERVER, '99+5x30'],
    ],
    minute: 15,
    firing: [],
  },
  {
    alert: 'BurgeeDatabaseErrors',
    scene: 'a full database under many downloads',
    input: [
      counts('burgee_database_query_errors_total', { ...SERVER, ...unavailable }, '0x5 0+1x20'),
      ...requests('burgee_http_requests_total', SERVER, 1),
    ],
    minute: 10,
    firing: [SERVER],
  },
  {
    alert: 'BurgeeDatabaseErrors',
    scene: 'duplicates only',
    input: [counts('burgee_database_query_errors_total', { ...SERVER, kind: 'unique' }, '0+5x30')],
    minute: 10,
    firing: [],
  },
  {
    alert: 'BurgeeDatabaseReadOnly',
    scene: 'a standby',
    input: [['burgee_database_writable', SERVER, '1x5 0x20']],
    minute: 9,
    firing: [SERVER],
  },
  {
    alert: 'BurgeeDatabaseReadOnly',
    scene: 'the primary',
    input: [['burgee_database_writable', SERVER, '1x30']],
    minute: 9,
    firing: [],
  },
  {
    alert: 'BurgeeUsageDropped',
    scene: 'names are dropped',
    input: [counts('burgee_usage_dropped_total', SERVER, '0x5 0+10x20')],
    minute: 15,
    firing: [SERVER],
  },
  {
    alert: 'BurgeeUsageDropped',
    scene: 'nothing is dropped',
    input: [counts('burgee_usage_dropped_total', SERVER, '7x30')],
    minute: 15,
    firing: [],
  },
  {
    alert: 'BurgeeSnapshotFails',
    scene: 'writes fail',
    input: [counts('burgee_kept_failures_total', SERVER, '0x5 0+1x20')],
    minute: 10,
    firing: [SERVER],
  },
  {
    alert: 'BurgeeSnapshotFails',
    scene: 'writes failed ten minutes ago',
    input: [counts('burgee_kept_failures_total', SERVER, '0x5 0+1x3 3x30')],
    minute: 19,
    firing: [],
  },
  {
    alert: 'BurgeeServerErrors',
    scene: '10% fail',
    input: requests('burgee_http_requests_total', SERVER, 100),
    minute: 12,
    firing: [SERVER],
  },
  {
    alert: 'BurgeeServerErrors',
    scene: '1% fails',
    input: requests('burgee_http_requests_total', SERVER, 10),
    minute: 12,
    firing: [],
  },
  {
    alert: 'BurgeeProxyNotReady',
    scene: 'no configuration',
    input: [['burgee_proxy_ready', PROXY, '0x20']],
    minute: 5,
    firing: [PROXY],
  },
  {
    alert: 'BurgeeProxyNotReady',
    scene: 'ready after a minute',
    input: [['burgee_proxy_ready', PROXY, '0 1x20']],
    minute: 5,
    firing: [],
  },
  {
    alert: 'BurgeeProxyStale',
    scene: 'an old configuration',
    input: [['burgee_proxy_stale', PROXY, '1x20']],
    minute: 8,
    firing: [PROXY],
  },
  {
    alert: 'BurgeeProxyStale',
    scene: 'fresh',
    input: [['burgee_proxy_stale', PROXY, '1x3 0x20']],
    minute: 8,
    firing: [],
  },
  {
    alert: 'BurgeeProxyErrors',
    scene: '10% fail',
    input: requests('burgee_proxy_http_requests_total', PROXY, 100),
    minute: 12,
    firing: [PROXY],
  },
  {
    alert: 'BurgeeProxyErrors',
    scene: '1% fails',
    input: requests('burgee_proxy_http_requests_total', PROXY, 10),
    minute: 12,
    firing: [],
  },
  {
    alert: 'BurgeeProxyUsageDropped',
    scene: 'counts are dropped',
    input: [counts('burgee_proxy_metrics_dropped_total', PROXY, '0x5 0+10x20')],
    minute: 15,
    firing: [PROXY],
  },
  {
    alert: 'BurgeeProxyUsageDropped',
    scene: 'nothing is dropped',
    input: [counts('burgee_proxy_metrics_dropped_total', PROXY, '0x30')],
    minute: 15,
    firing: [],
  },
  {
    alert: 'BurgeeEdgeNotReady',
    scene: 'no flags',
    input: [['burgee_edge_ready', EDGE, '0x20']],
    minute: 5,
    firing: [EDGE],
  },
  { alert: 'BurgeeEdgeNotReady', scene: 'ready', input: [['burgee_edge_ready', EDGE, '1x20']], minute: 5, firing: [] },
  {
    alert: 'BurgeeEdgeStale',
    scene: 'the upstream is away',
    input: [['burgee_edge_state_age_seconds', { ...EDGE, ...PRODUCTION }, '0+60x30']],
    minute: 14,
    firing: [{ ...EDGE, ...PRODUCTION }],
  },
  {
    alert: 'BurgeeEdgeStale',
    scene: 'confirmed',
    input: [['burgee_edge_state_age_seconds', { ...EDGE, ...PRODUCTION }, '10x30']],
    minute: 14,
    firing: [],
  },
  {
    alert: 'BurgeeEdgeErrors',
    scene: '10% fail',
    input: requests('burgee_edge_http_requests_total', EDGE, 100),
    minute: 12,
    firing: [EDGE],
  },
  {
    alert: 'BurgeeEdgeErrors',
    scene: '1% fails',
    input: requests('burgee_edge_http_requests_total', EDGE, 10),
    minute: 12,
    firing: [],
  },
  {
    alert: 'BurgeeEdgeUsageDropped',
    scene: 'names are dropped',
    input: [counts('burgee_edge_usage_dropped_total', EDGE, '0x5 0+10x20')],
    minute: 15,
    firing: [EDGE],
  },
  {
    alert: 'BurgeeEdgeUsageDropped',
    scene: 'nothing is dropped',
    input: [counts('burgee_edge_usage_dropped_total', EDGE, '0x30')],
    minute: 15,
    firing: [],
  },
  {
    alert: 'BurgeeEventLoopLate',
    scene: 'ten minutes late',
    input: [['nodejs_eventloop_lag_p99_seconds', SERVER, '0.5x30']],
    minute: 14,
    firing: [SERVER],
  },
  {
    alert: 'BurgeeEventLoopLate',
    scene: 'a short burst',
    input: [['nodejs_eventloop_lag_p99_seconds', SERVER, '0.01x5 0.5x3 0.01x20']],
    minute: 14,
    firing: [],
  },
]
