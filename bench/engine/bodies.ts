import { compile } from '@burgee/engine'
import { Answers } from '@burgee/serving/replies/answers'
import { mixContext, mixDocument } from '../mix.ts'
import type { Effort } from './evaluations.ts'
import { startPeer } from './peer.ts'
import { measureBestRounds } from './turns.ts'

/** Cost of the response body of all enabled flags, from a context to bytes. */
export interface BodyRow {
  readonly features: number
  readonly segmentValues: number
  readonly bodyBytes: number
  /** Time that our engine takes without caches, in microseconds. */
  readonly ownUs: number
  /**
   * Time of the SDK in microseconds: `isEnabled` of all flags, `getVariant` of enabled ones, `JSON.stringify`, bytes.
   */
  readonly peerUs: number
}

const CONTEXTS = Array.from({ length: 256 }, (_, index) => mixContext(index * 7919 + 13))
const NS_PER_US = 1000

/** Measures both engines alternately in this process, for many contexts. */
export async function measureBodies(features: number, segmentValues: number, effort: Effort): Promise<BodyRow> {
  const document = mixDocument({ features, segmentValues })
  const { engine } = compile(document)
  const answers = new Answers(engine, { cacheBytes: 0 })
  const { sdk } = await startPeer(document)
  let turn = 0
  const context = () => CONTEXTS[turn++ % CONTEXTS.length] ?? {}
  // as the server does: returns the buffer to the pool once it is sent
  const own = () => {
    const { content } = answers.list('on', context())
    const loan = content.lend?.()
    if (loan === undefined) return content.bytes()
    loan.release()
    return loan.bytes
  }
  const peer = () => {
    const one = context()
    const toggles = engine.names
      .filter((name) => sdk.isEnabled(name, one))
      .map((name) => ({ name, enabled: true, variant: sdk.getVariant(name, one), impressionData: false }))
    return Buffer.from(JSON.stringify({ toggles }))
  }
  const bodyBytes = own().length
  const [ownNs = 0, peerNs = 0] = measureBestRounds([repeat(own), repeat(peer)], effort)
  sdk.destroy()
  return { features, segmentValues, bodyBytes, ownUs: ownNs / NS_PER_US, peerUs: peerNs / NS_PER_US }
}

/** Formats the results in Markdown. */
export function bodyTable(rows: readonly BodyRow[]): string {
  const lines = rows.map(({ features, segmentValues, bodyBytes, ownUs, peerUs }) => {
    const segments = segmentValues === 0 ? 'none' : `10 × ${segmentValues}`
    return `| ${features} | ${segments} | ${bodyBytes} | ${ownUs.toFixed(1)} | ${peerUs.toFixed(0)} | × ${(peerUs / ownUs).toFixed(0)} |`
  })
  return ['| Flags | Segments | bytes | body: µs | SDK: µs | ratio |', '|---:|---|---:|---:|---:|---:|', ...lines].join(
    '\n',
  )
}

function repeat(work: () => Buffer): (count: number) => void {
  return (count) => {
    for (let turn = 0; turn < count; turn += 1) lastResult = work()
  }
}

/** Last result, exported so that no work can be optimized away. */
export let lastResult: Buffer | undefined
