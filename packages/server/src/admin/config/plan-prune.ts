import type { FlagFile } from '@burgee/protocol/administration/config-files'
import type { KeptObject } from '@burgee/protocol/administration/config-plan'
import type { Reader } from '@burgee/storage/database'
import { listDefaultStrategies } from '@burgee/storage/queries/projects/environments'
import { listMilestoneSegmentUses } from '@burgee/storage/queries/releases/release-plans'
import { listSegmentUses, type SegmentRow } from '@burgee/storage/queries/targeting/segments'
import type { ConfigStep } from './config-steps.ts'
import type { ParsedFile } from './parse-config-file.ts'
import type { ProjectConfig } from './project-config.ts'

/** Objects that files describe. */
export interface DescribedObjects {
  /** Paths of files by the name of the flag. */
  readonly flags: ReadonlyMap<string, string>
  readonly segments: ReadonlySet<string>
  /** Files of flags that differ from the stored state, by the name of the flag. */
  readonly changedFlags: ReadonlyMap<string, ParsedFile<FlagFile>>
}

/** Plans the archiving of flags that no file describes. Children come before their parents. */
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

/** Segments to delete, and segments that stay because they are in use. */
export interface SegmentPrune {
  readonly steps: readonly ConfigStep[]
  readonly kept: readonly KeptObject[]
}

/**
 * Plans the deletion of segments of the project that no file describes. Segments of all projects are never deleted,
 * because other projects can rely on them. A segment that is in use after the other changes stays, also if a file
 * begins to use it.
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
 * Returns a reason to keep a segment by the name of the segment, for all segments that changed flags use. Release
 * templates use only segments of all projects, which are never deleted.
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

/** Returns why a flag still uses a segment after the plan; undefined if the flag does not use it then. */
function findUse(
  config: ProjectConfig,
  { flags, changedFlags }: DescribedObjects,
  { flag, segment }: { readonly flag: string; readonly segment: SegmentRow },
): string | undefined {
  const stored = config.flags.get(flag)
  if (stored === undefined) return `the archived flag "${flag}" uses it`
  if (!flags.has(flag)) return `the flag "${flag}" uses it, which the plan archives`
  const wanted = changedFlags.get(flag)?.content.environments
  for (const [environment, { strategies }] of stored.environments) {
    // the strategies of a changed file are in `listFileUsers`
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
