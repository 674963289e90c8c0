import type { HeldDependency, HeldFlag, HeldState, HeldStrategy, HeldTag } from '../../model/held-flags.ts'
import {
  constraintsOf,
  listOf,
  objectOf,
  parametersOf,
  segmentIdsOf,
  textOf,
  textsOf,
  variantsOf,
} from '../stored-json.ts'
import type { PoliteReads } from './polite-reads.ts'

type Json = Readonly<Record<string, unknown>>

const PAGE = 100

/** Reads all flags with their related data; archived ones only with name and dates. */
export async function readApiFlags(reads: PoliteReads): Promise<HeldFlag[]> {
  const flags: HeldFlag[] = []
  for (const { name, project } of await listFlags(reads)) flags.push(await readFlag(reads, { name, project }))
  const archived = objectOf(await reads.find('/archive/features'))
  return [
    ...flags,
    ...listOf(archived.features)
      .map(objectOf)
      .map((row) => ({ ...flagOf(row), archivedAt: timeOf(row.archivedAt) ?? 0 })),
  ]
}

interface FlagName {
  readonly name: string
  readonly project: string
}

/** Lists all flags. Servers from version 6 on only have the search. */
async function listFlags(reads: PoliteReads): Promise<FlagName[]> {
  const all = await reads.find('/features')
  if (all !== undefined) return listOf(objectOf(all).features).map(nameOf)
  const found: FlagName[] = []
  for (;;) {
    const page = objectOf(await reads.get(`/search/features?limit=${PAGE}&offset=${found.length}`))
    const rows = listOf(page.features).map(nameOf)
    found.push(...rows)
    if (rows.length < PAGE) return found
  }
}

function nameOf(row: unknown): FlagName {
  const { name, project } = objectOf(row)
  return { name: textOf(name) ?? '', project: textOf(project) ?? 'default' }
}

async function readFlag(reads: PoliteReads, { name, project }: FlagName): Promise<HeldFlag> {
  const path = `/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}`
  const row = objectOf(await reads.get(path))
  const states: HeldState[] = []
  for (const place of listOf(row.environments).map(objectOf)) {
    const environment = textOf(place.name) ?? ''
    // the flag itself contains the variants of only one environment. Source: wire protocol
    const own = objectOf(await reads.find(`${path}/environments/${encodeURIComponent(environment)}/variants`))
    states.push({
      ...{ environment, enabled: place.enabled === true, variants: variantsOf(own.variants ?? place.variants) },
      ...{ strategies: inOrder(listOf(place.strategies).map(objectOf)), lastSeenAt: timeOf(place.lastSeenAt) },
    })
  }
  const tags = objectOf(await reads.find(`/features/${encodeURIComponent(name)}/tags`))
  return { ...flagOf(row), states, tags: listOf(tags.tags).map(tagOf) }
}

function flagOf(row: Json): HeldFlag {
  return {
    ...{ name: textOf(row.name) ?? '', project: textOf(row.project) ?? 'default', type: textOf(row.type) ?? 'release' },
    ...{ description: textOf(row.description) ?? null, stale: row.stale === true, potentiallyStale: false },
    ...{ impressionData: row.impressionData === true, createdAt: timeOf(row.createdAt) ?? 0, archivedAt: null },
    ...{ lastSeenAt: timeOf(row.lastSeenAt), createdByUserId: null, states: [], tags: [], stages: [] },
    dependencies: listOf(row.dependencies).map(dependencyOf),
  }
}

function inOrder(strategies: readonly Json[]): HeldStrategy[] {
  return [...strategies]
    .sort((a, b) => Number(a.sortOrder ?? 0) - Number(b.sortOrder ?? 0))
    .map(({ id, name, title, disabled, parameters, constraints, variants, segments, createdAt }) => ({
      ...{ id: textOf(id), name: textOf(name) ?? '', title: textOf(title) || null, disabled: disabled === true },
      ...{
        parameters: parametersOf(parameters),
        constraints: constraintsOf(constraints),
        variants: variantsOf(variants),
      },
      ...{ segments: segmentIdsOf(segments), createdAt: timeOf(createdAt) ?? 0 },
    }))
}

function dependencyOf(value: unknown): HeldDependency {
  const { feature, enabled, variants } = objectOf(value)
  return { parent: textOf(feature) ?? '', enabled: enabled !== false, variants: textsOf(variants ?? []) }
}

/** Converts a tag. */
export function tagOf(value: unknown): HeldTag {
  const { type, value: text } = objectOf(value)
  return { type: textOf(type) ?? 'simple', value: textOf(text) ?? '' }
}

/** Parses a time to milliseconds since 1970; null if there is none. */
export function timeOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
