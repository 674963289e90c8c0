import type { FlagFile } from '@burgee/protocol/administration/config-files'
import type { KeptObject } from '@burgee/protocol/administration/config-plan'
import type { Reader } from '@burgee/storage/database'
import { listDefaultStrategies } from '@burgee/storage/queries/projects/environments'
import { listMilestoneSegmentUses } from '@burgee/storage/queries/releases/release-plans'
import { listSegmentUses, type SegmentRow } from '@burgee/storage/queries/targeting/segments'
import type { ConfigStep } from './config-steps.ts'
import type { ParsedFile } from './parse-config-file.ts'
import type { ProjectConfig } from './project-config.ts'

/** Objects that the files describe. */
export interface DescribedObjects {
  /** Paths of the flag files, keyed by flag name. */
  readonly flags: ReadonlyMap<string, string>
  readonly segments: ReadonlySet<string>
  /** Flag files that differ from the stored state, keyed by flag name. */
  readonly changedFlags: ReadonlyMap<string, ParsedFile<FlagFile>>
}

/** Plans to archive the flags that no file describes. Children are archived before their parents. */
export function planArchives({ flags, project }: ProjectConfig, described: DescribedObjects): ConfigStep[] {
  const gone = [...flags.values()].filter(({ row }) => !described.flags.has(row.name))
  const byParents = gone.toSorted((a, b) => Number(b.parents.length > 0) - Number(a.parents.length > 0))
  return byParents.map(({ row: { name }, environments }) => {
    const on = [...environments].filter(([, { enabled }]) => enabled).map(([environment]) => environment)
    const effect = on.length === 0 ? '' : ` It is on in ${on.join(', ')}.`
    return {
      kind: 'Flag',
      name,
      flag: name,
      phase: 'archive',
      isDestructive: true,
      affects: 'project',
      sentence: `Archives the flag, which no file describes.${effect}`,
      permissions: [{ name: 'DELETE_FEATURE', project }],
      changes: [{ action: 'archiveFeature', payload: null }],
    }
  })
}

/** Steps that delete segments, and the segments that stay because they are in use. */
export interface SegmentPrune {
  readonly steps: readonly ConfigStep[]
  readonly kept: readonly KeptObject[]
}

/**
 * Plans to delete the project's segments that no file describes. Global segments are never deleted, because other
 * projects may rely on them. A segment stays if anything still uses it after the other changes, including a file that
 * starts to use it.
 */
export async function planSegmentPrune(
  reader: Reader,
  config: ProjectConfig,
  described: DescribedObjects,
): Promise<SegmentPrune> {
  const gone = config.segments.filter(
    ({ name, project }) => project === config.project && !described.segments.has(name),
  )
  if (gone.length === 0) return { steps: [], kept: [] }
  const uses = Map.groupBy(await listSegmentUses(reader), ({ segment }) => segment)
  const defaults = await listDefaultStrategies(reader, config.project)
  const users = listFileUsers(described)
  const steps: ConfigStep[] = []
  const kept: KeptObject[] = []
  for (const segment of gone) {
    const flags = (uses.get(segment.id) ?? []).map(({ feature }) => feature)
    const user =
      users.get(segment.name) ??
      flags.map((flag) => findUse(config, described, { flag, segment })).find((reason) => reason !== undefined) ??
      defaults
        .filter(({ strategy }) => strategy.segments?.includes(segment.id))
        .map(({ environment }) => `the default strategy of ${environment} uses it`)[0] ??
      (await listMilestoneSegmentUses(reader, segment.id)).map(({ name }) => `a release of "${name}" uses it`)[0]
    if (user === undefined) steps.push(toDeletion(segment, flags))
    else kept.push({ kind: 'Segment', name: segment.name, reason: user })
  }
  return { steps, kept }
}

/**
 * Returns a reason to keep each segment that changed flags use, keyed by segment name. Release templates use only
 * global segments, which are never deleted.
 */
function listFileUsers({ changedFlags }: DescribedObjects): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  for (const [flag, { content }] of changedFlags) {
    for (const [environment, { strategies = [] }] of Object.entries(content.environments ?? {})) {
      const used = strategies.flatMap(({ segments = [] }) => segments)
      for (const name of used) reasons.set(name, `the flag "${flag}" uses it in ${environment}`)
    }
  }
  return reasons
}

/** Returns the reason why a flag would still use a segment after the plan; undefined if it would not use it. */
function findUse(
  config: ProjectConfig,
  { flags, changedFlags }: DescribedObjects,
  { flag, segment }: { readonly flag: string; readonly segment: SegmentRow },
): string | undefined {
  const stored = config.flags.get(flag)
  if (stored === undefined) return `the archived flag "${flag}" uses it`
  if (!flags.has(flag)) return `the flag "${flag}", which the plan archives, uses it`
  const wanted = changedFlags.get(flag)?.content.environments
  for (const [environment, { strategies }] of stored.environments) {
    // changed files are handled by `listFileUsers`
    const isUsed =
      wanted?.[environment] === undefined && strategies.some(({ segments }) => segments.includes(segment.id))
    if (isUsed) return `the flag "${flag}" uses it in ${environment}`
  }
  return undefined
}

function toDeletion({ id, name, project }: SegmentRow, flags: readonly string[]): ConfigStep {
  return {
    kind: 'Segment',
    name,
    phase: 'delete',
    isDestructive: true,
    affects: flags.length === 0 ? 'none' : { segment: id },
    sentence: `Deletes the segment "${name}", which no file describes and nothing uses.`,
    permissions: [{ name: 'DELETE_SEGMENT', project }],
    changes: [{ action: 'deleteSegment', payload: { id } }],
  }
}
