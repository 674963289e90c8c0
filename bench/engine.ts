/**
 * Benchmark of the evaluation engine in one process. Alternates between Burgee's engine and the Unleash SDK. Run with
 * `node --expose-gc --conditions=source bench/engine.ts`. `--quick` takes less time and is less precise.
 */
import { parseArgs } from 'node:util'
import { type Effort, type EvaluationRow, measureEvaluations, measureSegment } from './engine/evaluations.ts'
import { type LoadRow, measureLoads, type Spread } from './engine/loads.ts'

/** Results of all measurements of the engine itself. */
export interface EngineRows {
  readonly evaluations: readonly EvaluationRow[]
  /** Evaluation of one flag with one segment of 10,000 values, in nanoseconds. */
  readonly segment: { readonly ownNs: number; readonly peerNs: number }
  readonly load: LoadRow
}

const QUICK = { sizes: [350], effort: { rounds: 5, sliceMs: 20 } }
const FULL = { sizes: [10, 100, 1000, 10_000], effort: { rounds: 15, sliceMs: 50 } }
const SEGMENT_VALUES = 1000

/** Measures evaluations of several sizes with and without segments, a large segment, and loading 10,000 flags. */
export async function benchEngine(sizes: readonly number[], effort: Effort): Promise<EngineRows> {
  const evaluations: EvaluationRow[] = []
  for (const features of sizes) {
    for (const values of [0, SEGMENT_VALUES]) evaluations.push(await measureEvaluations(features, values, effort))
  }
  return { evaluations, segment: await measureSegment(10_000, effort), load: await measureLoads(10_000) }
}

/** Formats the results in Markdown. */
export function engineTable({ evaluations, segment, load }: EngineRows): string {
  const lines = evaluations.map((row) => {
    const cells = [
      row.features,
      row.segmentValues === 0 ? 'none' : `10 × ${row.segmentValues}`,
      row.allNs.toFixed(1),
      row.peerAllNs.toFixed(0),
      `× ${(row.peerAllNs / row.allNs).toFixed(0)}`,
      row.oneNs.toFixed(0),
      row.peerOneNs.toFixed(0),
      `× ${(row.peerOneNs / row.oneNs).toFixed(0)}`,
      row.keyNs.toFixed(0),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| Flags | Segments | all: ns per flag | SDK | ratio | one flag: ns | SDK | ratio | key: ns |',
    '|---:|---|---:|---:|---:|---:|---:|---:|---:|',
    ...lines,
    '',
    `- One flag with a segment of 10,000 values: ${segment.ownNs.toFixed(0)} ns, SDK ${(segment.peerNs / 1000).toFixed(0)} µs (× ${(segment.peerNs / segment.ownNs).toFixed(0)}).`,
    `- ${load.features} flags compiled from scratch: ${load.compileMs.toFixed(0)} ms without slices; SDK ${load.peerLoadMs.toFixed(0)} ms.`,
    `- Memory per flag: document ${load.documentBytesPerFlag.toFixed(0)} B, engine and prepared JSON ${load.bytesPerFlag.toFixed(0)} B more; SDK ${load.peerBytesPerFlag.toFixed(0)} B more.`,
    `- One of ${load.features} flags changed (best / median): ${formatSpread(load.refreshMs)} ms without slices; longest slice ${formatSpread(load.longestStepMs)} ms; with slices, the event loop was blocked for ${formatSpread(load.stallMs)} ms.`,
  ].join('\n')
}

function formatSpread({ best, median }: Spread): string {
  return `${best.toFixed(1)} / ${median.toFixed(1)}`
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
  const { sizes, effort } = values.quick ? QUICK : FULL
  console.log(engineTable(await benchEngine(sizes, effort)))
}
