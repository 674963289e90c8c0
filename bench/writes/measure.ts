import { median } from '../statistics.ts'
import { type Contestants, MAX_CLIENTS, type Writer } from './contestants.ts'

/** Size of the measurement. */
export interface WritesPlan {
  /** Numbers of concurrent clients. */
  readonly clients: readonly number[]
  readonly rounds: number
  readonly sliceMs: number
}

/** Medians over all rounds for a number of clients. */
export interface WritesRow {
  readonly clients: number
  readonly ownPerSecond: number
  readonly floorPerSecond: number
  readonly ownMs: number
  readonly floorMs: number
  readonly statementsPerChange: number
}

interface Slice {
  readonly perSecond: number
  readonly medianMs: number
}

const MS_PER_SECOND = 1000
const COUNTED = 4

/** Measures both writers alternately, after a warm-up slice of each. */
export async function measureWrites({ own, floor }: Contestants, plan: WritesPlan): Promise<WritesRow[]> {
  for (const writer of [own, floor]) await slice(writer, Math.min(16, MAX_CLIENTS), plan.sliceMs)
  const rows: WritesRow[] = []
  for (const clients of plan.clients) {
    const slices: { readonly own: Slice[]; readonly floor: Slice[] } = { own: [], floor: [] }
    for (let round = 0; round < plan.rounds; round += 1) {
      slices.own.push(await slice(own, clients, plan.sliceMs))
      slices.floor.push(await slice(floor, clients, plan.sliceMs))
    }
    const of = (who: readonly Slice[], key: keyof Slice) => median(who.map((one) => one[key]))
    const statements = await own.statements(() => changeConcurrently(own, clients, COUNTED))
    rows.push({
      clients,
      ownPerSecond: of(slices.own, 'perSecond'),
      floorPerSecond: of(slices.floor, 'perSecond'),
      ownMs: of(slices.own, 'medianMs'),
      floorMs: of(slices.floor, 'medianMs'),
      statementsPerChange: statements / (clients * COUNTED),
    })
  }
  return rows
}

/** Runs clients that each make one change after another until the slice ends. */
async function slice(writer: Writer, clients: number, sliceMs: number): Promise<Slice> {
  const began = performance.now()
  const tookMs: number[] = []
  const work = async (client: number): Promise<void> => {
    while (performance.now() - began < sliceMs) {
      const since = performance.now()
      await writer.change(client)
      tookMs.push(performance.now() - since)
      // yield, because a minimal writer that never waits would starve timers
      await new Promise(setImmediate)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  const seconds = (performance.now() - began) / MS_PER_SECOND
  return { perSecond: tookMs.length / seconds, medianMs: median(tookMs) }
}

/** Runs clients that each make the given number of changes. */
export async function changeConcurrently(writer: Writer, clients: number, changes: number): Promise<void> {
  const work = async (client: number): Promise<void> => {
    for (let count = 0; count < changes; count += 1) await writer.change(client)
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
}
