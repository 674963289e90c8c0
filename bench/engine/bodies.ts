import { compile } from '@burgee/engine'
import { Answers } from '@burgee/serving/replies/answers'
import { mixContext, mixDocument } from '../mix.ts'
import type { Effort } from './evaluations.ts'
import { startPeer } from './peer.ts'
import { bestOfTurns } from './turns.ts'

/** What the body of all flags that are on costs, from a context to bytes. */
export interface BodyRow {
  readonly features: number
  readonly segmentValues: number
  readonly bodyBytes: number
  /** Ours with nothing kept from before: microseconds. */
  readonly ownUs: number
  /** The SDK's `isEnabled` of all flags, `getVariant` of those that are on, `JSON.stringify`, bytes: microseconds. */
  readonly peerUs: number
}

const CONTEXTS = Array.from({ length: 256 }, (_, index) => mixContext(index * 7919 + 13))
const NS_PER_US = 1000

/** Bodies for many contexts in turn, in this process. */
export async function measureBodies(features: number, segmentValues: number, effort: Effort): Promise<BodyRow> {
  const document = mixDocument({ features, segmentValues })
  const { engine } = compile(document)
  const answers = new Answers(engine, { cacheBytes: 0 })
  const { sdk } = await startPeer(document)
  let turn = 0
  const context = () => CONTEXTS[turn++ % CONTEXTS.length] ?? {}
  // as the server does: the bytes are lent until they are sent
  const own = () => {
    const { content } = answers.list('on', context())
    const loan = content.lend?.()
    if (loan === undefined) return content.bytes()
    loan.giveBack()
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
  const [ownNs = 0, peerNs = 0] = bestOfTurns([times(own), times(peer)], effort)
  sdk.destroy()
  return { features, segmentValues, bodyBytes, ownUs: ownNs / NS_PER_US, peerUs: peerNs / NS_PER_US }
}

/** The rows in Markdown. */
export function bodyTable(rows: readonly BodyRow[]): string {
  const lines = rows.map(({ features, segmentValues, bodyBytes, ownUs, peerUs }) => {
    const segments = segmentValues === 0 ? 'none' : `10 × ${segmentValues}`
    return `| ${features} | ${segments} | ${bodyBytes} | ${ownUs.toFixed(1)} | ${peerUs.toFixed(0)} | × ${(peerUs / ownUs).toFixed(0)} |`
  })
  return ['| Flags | Segments | bytes | body: µs | SDK: µs | ratio |', '|---:|---|---:|---:|---:|---:|', ...lines].join(
    '\n',
  )
}

function times(work: () => Buffer): (count: number) => void {
  return (count) => {
    for (let turn = 0; turn < count; turn += 1) last = work()
  }
}

/** What came out last, so that no work can be left out. */
export let last: Buffer | undefined
