import type { Measured, SceneRow } from './measure.ts'
import { describeScene, type Scene } from './scene.ts'

const BYTES_PER_MB = 1_000_000

/** Formats a row for the terminal. */
export function describeRow({ features, scene, by }: SceneRow): string {
  const { floor, burgee, peer } = by
  const ratios = `${(burgee.cpuUs / floor.cpuUs).toFixed(2)} × floor, 1/${(peer.cpuUs / burgee.cpuUs).toFixed(1)} of peer`
  const cpu = [floor, burgee, peer].map((one) => `${one.target} ${one.cpuUs.toFixed(0)} µs`).join(', ')
  return `${features} flags, ${describeScene(scene)}: CPU per request ${cpu}: ${ratios}`
}

/** Formats all scenes in Markdown. */
export function httpTable(rows: readonly SceneRow[]): string {
  const head = [
    '| Flags | Requests | Server | requests/s | CPU µs per request | p50 ms | p99 ms | RSS MB | body bytes | status | × floor | peer ÷ |',
    '|---:|---|---|---:|---:|---:|---:|---:|---:|---|---:|---:|',
  ]
  const lines = rows.flatMap(({ features, scene, by }) =>
    [by.floor, by.burgee, by.peer].map((one) => line(features, scene, one, by)),
  )
  return [...head, ...lines].join('\n')
}

function line(features: number, scene: Scene, one: Measured, by: SceneRow['by']): string {
  const cells = [
    features,
    describeScene(scene),
    one.target === 'burgee' ? '**burgee**' : one.target,
    one.requestsPerSecond.toFixed(0),
    one.cpuUs.toFixed(one.cpuUs < 1000 ? 1 : 0),
    (one.p50Us / 1000).toFixed(2),
    (one.p99Us / 1000).toFixed(2),
    (one.rssBytes / BYTES_PER_MB).toFixed(0),
    one.bodyBytes.toFixed(0),
    one.statuses,
    one.target === 'floor' ? '' : (one.cpuUs / by.floor.cpuUs).toFixed(2),
    one.target === 'burgee' ? (by.peer.cpuUs / one.cpuUs).toFixed(1) : '',
  ]
  return `| ${cells.join(' | ')} |`
}
