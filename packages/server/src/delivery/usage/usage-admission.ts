import { addCounts, type FlagSums } from '@burgee/serving/usage/flag-counts'
import type { Tx } from '@burgee/storage/database'
import type { SourcedUnknownFlagRequest } from '@burgee/storage/queries/usage/unknown-flags'
import type { UsageCount } from '@burgee/storage/queries/usage/usage'
import { readProjects, readStoredVariants, readVariantNames } from '@burgee/storage/queries/usage/usage-names'
import type { ReportedCount, Reporter } from './buffered-counts.ts'
import { MAX_UNKNOWN_VARIANTS } from './usage-bounds.ts'

/** Count, together with the project of its flag. */
export interface AdmittedCount extends UsageCount {
  readonly project: string
}

/** Called with counts after they have been written. */
export type OnWritten = (counts: readonly AdmittedCount[]) => void

/** Name of an unknown flag, and its reporter. */
export interface UnknownReport extends SourcedUnknownFlagRequest {
  readonly reporter: Reporter
}

/** Result of checking reported counts. */
export interface Admission {
  /** Counts for flags in the reporters' projects, summed over all reporters. */
  readonly counts: readonly AdmittedCount[]
  /** Unknown flag names without duplicates. */
  readonly unknown: readonly UnknownReport[]
  /** Number of names that are not counted: flags in other projects, and variants that their flag does not have. */
  readonly dropped: number
}

/** Name of the variant that every flag can return. */
const NO_VARIANT = 'disabled'

/**
 * Checks reported names against existing flags, in a constant number of queries. Callers can invent names, so the
 * number of names must not determine how much data is stored per hour. Source: wire protocol "metrics", section on
 * unknown flag names.
 */
export async function admitCounts(tx: Tx, reported: readonly ReportedCount[]): Promise<Admission> {
  const projects = await readProjects(tx, dedupe(reported.map((count) => count.featureName)))
  const unknown = reported.filter(({ featureName }) => !projects.has(featureName))
  const known = reported.filter(({ featureName }) => projects.has(featureName))
  const own = known.filter(({ featureName, reporter }) => {
    const project = projects.get(featureName) ?? ''
    return reporter.projects.includes('*') || reporter.projects.includes(project)
  })
  const summed = sumOverReporters(own, projects)
  const droppedVariants = await dropOtherVariants(tx, summed)
  const droppedFlags = known.length - own.length
  return { counts: summed, unknown: listUnknownReports(unknown), dropped: droppedFlags + droppedVariants }
}

type SummedCount = AdmittedCount & FlagSums

function sumOverReporters(reported: readonly ReportedCount[], projects: ReadonlyMap<string, string>): SummedCount[] {
  const sums = new Map<string, SummedCount>()
  for (const count of reported) {
    const { appName, featureName, hour } = count
    const { environment } = count.reporter
    const id = JSON.stringify([environment, appName, featureName, hour])
    const project = projects.get(featureName) ?? ''
    const sum = sums.get(id) ?? { environment, appName, featureName, hour, project, yes: 0, no: 0, variants: new Map() }
    sums.set(id, sum)
    addCounts(sum, count)
  }
  return [...sums.values()]
}

/** Removes variants that their flag does not have, except for a few per hour. Returns the number of removed names. */
async function dropOtherVariants(tx: Tx, counts: readonly SummedCount[]): Promise<number> {
  const withVariants = counts.filter(({ variants }) => variants.size > 0)
  const known = await readVariantNames(tx, dedupe(withVariants.map((count) => count.featureName)))
  const isOther = ({ featureName }: UsageCount, name: string) =>
    name !== NO_VARIANT && known.get(featureName)?.has(name) !== true
  const suspects = withVariants.filter((count) => [...count.variants.keys()].some((name) => isOther(count, name)))
  const stored = await readStoredVariants(tx, suspects)
  let dropped = 0
  for (const count of suspects) {
    const others = new Set((stored(count) ?? []).filter((name) => isOther(count, name)))
    for (const name of [...count.variants.keys()].filter((one) => isOther(count, one))) {
      if (others.has(name)) continue
      if (others.size < MAX_UNKNOWN_VARIANTS) {
        others.add(name)
        continue
      }
      count.variants.delete(name)
      dropped += 1
    }
  }
  return dropped
}

function listUnknownReports(reported: readonly ReportedCount[]): UnknownReport[] {
  const sightings = new Map<string, UnknownReport>()
  for (const { reporter, appName, featureName: name } of reported) {
    const { environment } = reporter
    const id = JSON.stringify([name, appName, environment])
    const projects = [...new Set([...(sightings.get(id)?.projects ?? []), ...reporter.projects])]
    sightings.set(id, { name, appName, environment, projects, reporter })
  }
  return [...sightings.values()]
}

const dedupe = (names: readonly string[]) => [...new Set(names)]
