import type { SourceDependency, SourceFlag, SourceState, SourceStrategy, SourceTag } from '../../model/source-flags.ts'
import {
  toConstraints,
  toList,
  toObject,
  toParameters,
  toSegmentIds,
  toText,
  toTexts,
  toVariants,
} from '../stored-json.ts'
import type { UnleashClient } from './unleash-client.ts'

type Json = Readonly<Record<string, unknown>>

const PAGE_SIZE = 100

/** Reads all flags with their related data. Archived flags have only their names and dates. */
export async function readApiFlags(reads: UnleashClient): Promise<SourceFlag[]> {
  const flags: SourceFlag[] = []
  for (const { name, project } of await listFlags(reads)) flags.push(await readFlag(reads, { name, project }))
  const archived = toObject(await reads.find('/archive/features'))
  return [
    ...flags,
    ...toList(archived.features)
      .map(toObject)
      .map((row) => ({ ...toFlag(row), archivedAt: parseTime(row.archivedAt) ?? 0 })),
  ]
}

interface FlagName {
  readonly name: string
  readonly project: string
}

/** Lists all flags. From version 6 on, servers have no list of all flags, so the search is used. */
async function listFlags(reads: UnleashClient): Promise<FlagName[]> {
  const all = await reads.find('/features')
  if (all !== undefined) return toList(toObject(all).features).map(toFlagName)
  const found: FlagName[] = []
  for (;;) {
    const page = toObject(await reads.get(`/search/features?limit=${PAGE_SIZE}&offset=${found.length}`))
    const rows = toList(page.features).map(toFlagName)
    found.push(...rows)
    if (rows.length < PAGE_SIZE) return found
  }
}

function toFlagName(row: unknown): FlagName {
  const { name, project } = toObject(row)
  return { name: toText(name) ?? '', project: toText(project) ?? 'default' }
}

async function readFlag(reads: UnleashClient, { name, project }: FlagName): Promise<SourceFlag> {
  const path = `/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}`
  const row = toObject(await reads.get(path))
  const states: SourceState[] = []
  for (const place of toList(row.environments).map(toObject)) {
    const environment = toText(place.name) ?? ''
    // the flag itself contains the variants of only one environment. Source: wire protocol
    const own = toObject(await reads.find(`${path}/environments/${encodeURIComponent(environment)}/variants`))
    states.push({
      environment,
      enabled: place.enabled === true,
      variants: toVariants(own.variants ?? place.variants),
      strategies: toSortedStrategies(toList(place.strategies).map(toObject)),
      lastSeenAt: parseTime(place.lastSeenAt),
    })
  }
  const tags = toObject(await reads.find(`/features/${encodeURIComponent(name)}/tags`))
  return { ...toFlag(row), states, tags: toList(tags.tags).map(toTag) }
}

function toFlag(row: Json): SourceFlag {
  return {
    name: toText(row.name) ?? '',
    project: toText(row.project) ?? 'default',
    type: toText(row.type) ?? 'release',
    description: toText(row.description) ?? null,
    stale: row.stale === true,
    potentiallyStale: false,
    impressionData: row.impressionData === true,
    createdAt: parseTime(row.createdAt) ?? 0,
    archivedAt: null,
    lastSeenAt: parseTime(row.lastSeenAt),
    createdByUserId: null,
    states: [],
    tags: [],
    stages: [],
    dependencies: toList(row.dependencies).map(toDependency),
  }
}

function toSortedStrategies(strategies: readonly Json[]): SourceStrategy[] {
  return [...strategies]
    .sort((a, b) => Number(a.sortOrder ?? 0) - Number(b.sortOrder ?? 0))
    .map(({ id, name, title, disabled, parameters, constraints, variants, segments, createdAt }) => ({
      id: toText(id),
      name: toText(name) ?? '',
      title: toText(title) || null,
      disabled: disabled === true,
      parameters: toParameters(parameters),
      constraints: toConstraints(constraints),
      variants: toVariants(variants),
      segments: toSegmentIds(segments),
      createdAt: parseTime(createdAt) ?? 0,
    }))
}

function toDependency(value: unknown): SourceDependency {
  const { feature, enabled, variants } = toObject(value)
  return { parent: toText(feature) ?? '', enabled: enabled !== false, variants: toTexts(variants ?? []) }
}

/** Converts a tag. */
export function toTag(value: unknown): SourceTag {
  const { type, value: text } = toObject(value)
  return { type: toText(type) ?? 'simple', value: toText(text) ?? '' }
}

/** Parses a time to milliseconds since 1970; returns null if the value is not a time. */
export function parseTime(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? null : ms
}
