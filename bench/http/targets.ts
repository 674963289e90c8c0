import { type Target, target } from '../target-table.ts'
import type { SceneRow } from './measure.ts'
import type { RefreshResult } from './refresh.ts'
import { describeScene, type Scene } from './scene.ts'
import type { ScalingResult } from './workers.ts'

const GET: Scene = { method: 'GET', contexts: 'different', isConditional: false, isCompressed: false }
const times = (value: number) => `${value.toFixed(2)} ×`
const part = (value: number) => `${value.toFixed(1)} × less`
const ms = (value: number) => `${value.toFixed(1)} ms`

/** Returns the targets for requests, relative to the minimal server and to the Unleash proxy in the same run. */
export function httpTargets(rows: readonly SceneRow[]): Target[] {
  const find = (features: number, scene: Scene) =>
    rows.find((row) => row.features === features && describeScene(row.scene) === describeScene(scene))?.by
  const targets: Target[] = []
  const against = (features: number, scene: Scene, ofPeer: number, ofFloor: number | undefined) => {
    const by = find(features, scene)
    if (by === undefined) return
    const what = `CPU per request, ${features} flags, ${describeScene(scene)}`
    targets.push(target(`${what}: compared to the peer`, by.peer.cpuUs / by.burgee.cpuUs, '≥', ofPeer, part))
    if (ofFloor === undefined) return
    targets.push(target(`${what}: relative to the floor`, by.burgee.cpuUs / by.floor.cpuUs, '≤', ofFloor, times))
  }
  against(350, GET, 15, 1.7)
  against(350, { ...GET, contexts: 'repeated' }, 20, 1.3)
  against(350, { ...GET, contexts: 'repeated', isConditional: true }, 20, 1.3)
  for (const features of [2000, 10_000]) against(features, GET, 25, undefined)
  const at350 = rows.filter(({ features }) => features === 350)
  if (at350.length > 0) {
    const rss = (name: 'burgee' | 'peer') => Math.max(...at350.map(({ by }) => by[name].rssBytes))
    targets.push(target('RSS under load, 350 flags, versus the peer', rss('burgee') / rss('peer'), '≤', 0.5, times))
  }
  const [small, large] = [find(350, GET), find(10_000, GET)]
  if (small !== undefined && large !== undefined) {
    const growth = large.burgee.cpuUs / 10_000 / (small.burgee.cpuUs / 350)
    targets.push(target('CPU per request and flag, 10,000 flags, relative to 350 flags', growth, '≤', 1, times))
  }
  return targets
}

/** Returns the targets for a refresh and for a second worker. */
export function processTargets(refreshed: RefreshResult, scaled: ScalingResult): Target[] {
  return [
    target(
      `Longest stall of the event loop while one of ${refreshed.features} flags changes, under load`,
      refreshed.changingMs,
      '≤',
      20,
      ms,
    ),
    target('Throughput of two workers, relative to one', scaled.factor, '≥', 1.7, times),
  ]
}
