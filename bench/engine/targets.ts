import type { EngineRows } from '../engine.ts'
import { type Target, target } from '../target-table.ts'
import type { BodyRow } from './bodies.ts'

const times = (value: number) => `${value.toFixed(0)} ×`
const ns = (value: number) => `${value.toFixed(0)} ns`
const bytes = (value: number) => `${value.toFixed(0)} B`

/** Returns the targets of in-process evaluation, relative to the SDK in the same run. */
export function engineTargets(bodies: readonly BodyRow[], { segment, load }: EngineRows): Target[] {
  const targets: Target[] = []
  for (const [segmentValues, factor] of [
    [0, 100],
    [1000, 300],
  ] as const) {
    const row = bodies.find((one) => one.features === 1000 && one.segmentValues === segmentValues)
    if (row === undefined) continue
    const what = `Response body of all flags in process, 1,000 flags, ${segmentValues === 0 ? 'no segments' : 'segments'}: faster than the SDK`
    targets.push(target(what, row.peerUs / row.ownUs, '≥', factor, times))
  }
  targets.push(target('Check against a segment of 10,000 values', segment.ownNs, '≤', 1000, ns))
  const what = `Memory per flag in addition to the parsed document, ${load.features} flags`
  targets.push(target(what, load.bytesPerFlag, '≤', 2048, bytes))
  return targets
}
