import { isDeepStrictEqual } from 'node:util'
import type { Kind } from '@burgee/import/model/fidelity'
import type { Installation } from '@burgee/import/model/installation'
import type { SourceProject, SourceRule } from '@burgee/import/model/source-flags'
import { toCanonicalConstraints } from '@burgee/import/verify/canonical-flag'
import type { Constraint } from '@burgee/protocol/feature'
import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import { insertAll, insertWithIds, raiseNextId } from '@burgee/storage/queries/import/explicit-ids'
import { ALREADY_EXISTS, type ImportContext } from './import-order.ts'

/**
 * Maximum id that an imported segment can keep. Segment ids in a file can be any number, but larger ids must remain
 * available for new segments.
 */
const MAX_ID = 1_000_000_000

/** Writes environments and projects, and returns the projects that did not exist before. */
export async function writeProjects(writing: ImportContext): Promise<readonly SourceProject[]> {
  const { tx, installation } = writing
  const environments = await listMissing(writing, 'environment', installation.environments, ({ name }) => name, {
    there: await readNames(writing, 'environments', 'name'),
  })
  await insertAll(
    tx,
    'environments',
    environments.map((one) => ({
      name: one.name,
      type: one.type,
      sort_order: one.sortOrder,
      enabled: Number(one.enabled),
      protected: Number(one.protected),
    })),
  )
  const projects = await listMissing(writing, 'project', installation.projects, ({ id }) => id, {
    there: await readNames(writing, 'projects', 'id'),
  })
  await insertAll(
    tx,
    'projects',
    projects.map((one) => ({
      id: one.id,
      name: one.name,
      description: one.description,
      mode: one.mode,
      default_stickiness: one.defaultStickiness,
      created_at: one.createdAt,
      archived_at: one.archivedAt,
      feature_limit: one.featureLimit,
      feature_naming_pattern: one.namingPattern,
      feature_naming_example: one.namingExample,
      feature_naming_description: one.namingDescription,
    })),
  )
  const known = await readNames(writing, 'environments', 'name')
  await insertAll(
    tx,
    'project_environments',
    projects.flatMap(({ id, environments: own }) =>
      own.filter(({ environment }) => known.has(environment)).map(({ environment }) => ({ project: id, environment })),
    ),
  )
  return projects
}

/**
 * Writes the default strategies of projects. Must be called after `writeSegments`, because strategies can refer to
 * segments.
 */
export async function writeDefaultStrategies(writing: ImportContext, written: readonly SourceProject[]): Promise<void> {
  const known = await readNames(writing, 'environments', 'name')
  await insertAll(
    writing.tx,
    'project_environment_defaults',
    written.flatMap(({ id: project, environments }) =>
      environments.flatMap(({ environment, defaultStrategy }) =>
        defaultStrategy === null || !known.has(environment)
          ? []
          : [{ project, environment, default_strategy: JSON.stringify(toStrategyInput(defaultStrategy, writing)) }],
      ),
    ),
  )
}

/**
 * Converts a default strategy. If the strategy names a missing segment, disables the strategy, because it would match
 * more users without the segment.
 */
function toStrategyInput(rule: SourceRule, { segments }: ImportContext): StrategyInput {
  const isWhole = rule.segments.every((id) => segments.has(id))
  return {
    name: rule.name,
    title: rule.title,
    disabled: rule.disabled || !isWhole,
    parameters: { ...rule.parameters },
    constraints: rule.constraints as StrategyInput['constraints'] & object,
    variants: rule.variants as StrategyInput['variants'] & object,
    segments: rule.segments.flatMap((id) => segments.get(id) ?? []),
  }
}

/**
 * Writes everything that strategies and users refer to by name: context fields, strategy types, flag types, tag types.
 */
export async function writeNames(writing: ImportContext): Promise<void> {
  const { tx, installation } = writing
  await writeContextFields(writing)
  const types = await listMissing(writing, 'strategy type', installation.strategyTypes, ({ name }) => name, {
    there: await readNames(writing, 'strategy_types', 'name'),
  })
  await insertAll(
    tx,
    'strategy_types',
    types.map((one) => ({
      name: one.name,
      title: one.title,
      description: one.description,
      deprecated: Number(one.deprecated),
      parameters: JSON.stringify(one.parameters),
      built_in: 0,
      sort_order: one.sortOrder,
    })),
  )
  await writeFlagTypes(writing)
  const tagTypes = await listMissing(writing, 'tag type', installation.tagTypes, ({ name }) => name, {
    there: await readNames(writing, 'tag_types', 'name'),
  })
  await insertAll(
    tx,
    'tag_types',
    tagTypes.map(({ name, description, icon }) => ({ name, description, icon })),
  )
}

/** Writes context fields. Fields of existing items are updated from the source, except in a merge. */
async function writeContextFields(writing: ImportContext): Promise<void> {
  const { tx, installation, order, tally } = writing
  const there = await readNames(writing, 'context_fields', 'name')
  const isMerge = order.mode === 'merge'
  const rows = installation.contextFields.map((one) => ({
    name: one.name,
    description: one.description,
    stickiness: Number(one.stickiness),
    sort_order: one.sortOrder,
    legal_values: JSON.stringify(one.legalValues),
    created_at: one.createdAt,
  }))
  const known = rows.filter(({ name }) => there.has(name))
  tally.count('context field', rows.length, isMerge ? rows.length - known.length : rows.length)
  if (isMerge) for (const { name } of known) tally.addNote('context field', name, 'not carried', ALREADY_EXISTS)
  else
    for (const { name, ...set } of known)
      await tx.updateTable('context_fields').set(set).where('name', '=', name).execute()
  await insertAll(
    tx,
    'context_fields',
    rows.filter(({ name }) => !there.has(name)),
  )
}

async function writeFlagTypes({ tx, installation, order, tally }: ImportContext): Promise<void> {
  const there = new Set((await tx.selectFrom('feature_types').select('id').execute()).map(({ id }) => id))
  const known = installation.flagTypes.filter(({ id }) => there.has(id))
  const isMerge = order.mode === 'merge'
  tally.count(
    'flag type',
    installation.flagTypes.length,
    isMerge ? installation.flagTypes.length - known.length : undefined,
  )
  if (!isMerge) {
    for (const { id, lifetimeDays } of known) {
      await tx.updateTable('feature_types').set({ lifetime_days: lifetimeDays }).where('id', '=', id).execute()
    }
  }
  const rows = installation.flagTypes.filter(({ id }) => !there.has(id))
  await insertAll(
    tx,
    'feature_types',
    rows.map((one, index) => ({
      id: one.id,
      name: one.name,
      description: one.description,
      lifetime_days: one.lifetimeDays,
      sort_order: there.size + index,
    })),
  )
}

/**
 * Writes segments. A segment keeps its id from the source if that id is free. If a name is already taken, a number is
 * appended to it.
 */
export async function writeSegments(writing: ImportContext): Promise<void> {
  const { tx, installation, order, tally, segments } = writing
  const rows = await tx.selectFrom('segments').select(['id', 'name', 'project', 'constraints']).execute()
  const byName = new Map(rows.map((row) => [row.name, row]))
  const names = new Set(byName.keys())
  const ids = new Set(rows.map(({ id }) => id))
  const projects = new Set((await tx.selectFrom('projects').select('id').execute()).map(({ id }) => id))
  const kept = installation.segments.map(({ id }) => id).filter((id) => id <= MAX_ID)
  let highest = [...ids, ...kept].reduce((most, id) => Math.max(most, id), 0)
  const coming = []
  for (const one of installation.segments) {
    const numbered = `${one.name} (${one.id})`
    const called = order.mode === 'merge' ? [byName.get(one.name), byName.get(numbered)] : []
    const known = called.find((row) => row !== undefined && isSame(row, one))
    if (known !== undefined) {
      segments.set(one.id, known.id)
      tally.addNote('segment', one.name, 'not carried', ALREADY_EXISTS)
      continue
    }
    const id = ids.has(one.id) || one.id > MAX_ID ? ++highest : one.id
    ids.add(id)
    if (id !== one.id)
      tally.addNote('segment', one.name, 'approximated', `its id here is ${id}, because ${one.id} is taken`)
    const name = [one.name, numbered].find((free) => !names.has(free)) ?? `${numbered} (${id})`
    names.add(name)
    if (name !== one.name) {
      tally.addNote(
        'segment',
        one.name,
        'approximated',
        `it is named "${name}" here, because the old name belongs to another one`,
      )
    }
    segments.set(one.id, id)
    coming.push({
      id,
      name,
      description: one.description,
      constraints: JSON.stringify(one.constraints),
      project: one.project !== null && projects.has(one.project) ? one.project : null,
      created_by: one.createdBy,
      created_at: one.createdAt,
    })
  }
  tally.count('segment', installation.segments.length, coming.length)
  await insertWithIds(tx, 'segments', coming)
  if (!order.isTrial) await raiseNextId(tx, 'segments', highest)
}

/** Returns true if an existing segment has the same constraints and is available to the same project. */
function isSame(
  here: { readonly project: string | null; readonly constraints: readonly Constraint[] },
  { project, constraints }: Installation['segments'][number],
): boolean {
  const isOpen = here.project === null || here.project === project
  return isOpen && isDeepStrictEqual(toCanonicalConstraints(here.constraints), toCanonicalConstraints(constraints))
}

/**
 * Returns the items that do not exist in this installation yet. In a merge, adds notes on the items that already exist;
 * these stay unchanged.
 */
export async function listMissing<T>(
  { tally, order }: Pick<ImportContext, 'tally' | 'order'>,
  kind: Kind,
  things: readonly T[],
  nameOf: (one: T) => string,
  { there }: { readonly there: ReadonlySet<string> },
): Promise<T[]> {
  const coming = things.filter((one) => !there.has(nameOf(one)))
  tally.count(kind, things.length, order.mode === 'merge' ? coming.length : things.length)
  if (order.mode === 'merge') {
    for (const one of things)
      if (there.has(nameOf(one))) tally.addNote(kind, nameOf(one), 'not carried', ALREADY_EXISTS)
  }
  return coming
}

type NamedTable = 'environments' | 'strategy_types' | 'tag_types' | 'context_fields' | 'features' | 'projects'

/** Returns the keys of all rows of a table. */
export async function readNames(
  { tx }: Pick<ImportContext, 'tx'>,
  table: NamedTable,
  column: 'name' | 'id',
): Promise<Set<string>> {
  if (table === 'projects' || column === 'id') {
    return new Set((await tx.selectFrom('projects').select('id').execute()).map(({ id }) => id))
  }
  return new Set(
    (await tx.selectFrom<Exclude<NamedTable, 'projects'>>(table).select('name').execute()).map(({ name }) => name),
  )
}
