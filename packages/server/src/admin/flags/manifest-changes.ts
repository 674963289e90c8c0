import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { CreateManifestFlag, ManifestFlag, UpdateManifestFlag } from '@burgee/protocol/openfeature/manifest'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { type FeatureRow, findFeature, readVariantsOfFeatures } from '@burgee/storage/queries/flags/features'
import {
  type DeclaredValue,
  findLastChange,
  findProtectedEnvironment,
  listValuedFlags,
  putDeclaredValue,
  type ValuedFlag,
} from '@burgee/storage/queries/flags/flag-values'
import { type Rights, requirePermission } from '../../core/access/rights/rights.ts'
import type { Change } from '../../core/execute.ts'
import { buildFeatureEvent } from './feature-events.ts'
import { createFeature } from './features.ts'
import { archiveFeature } from './lifecycle.ts'
import { hasType, toManifestFlag } from './manifest.ts'

/** Flag after a change, and the time at which it was last changed. */
export interface ManifestResult {
  readonly flag: ManifestFlag
  /** Milliseconds since 1970. */
  readonly updatedAt: number
}

/**
 * Caller who changes a flag through the manifest API. Requests name no project, so permissions are checked in the
 * project of the flag.
 */
type ManifestCaller = Rights

/**
 * Creates a release flag with a type and a default value, off in all environments. Throws ValidationError,
 * NoAccessError, NotFoundError, NameExistsError, and InvalidOperationError if the project has reached its limit of
 * flags.
 */
export const addToManifest: Change<
  { project: string; by: ManifestCaller; flag: CreateManifestFlag },
  ManifestResult
> = async (tx, { project, by, flag }, context) => {
  requirePermission(by, 'CREATE_FEATURE', { project })
  const { key, type, defaultValue, description = null } = flag
  const declared = { type, defaultValue }
  requireFitting(declared)
  const { events } = await createFeature(tx, { project, body: { name: key, description } }, context)
  await putDeclaredValue(tx, key, declared)
  const after = await requireValued(tx, key)
  return {
    result: { flag: toManifestFlag(after), updatedAt: context.now },
    events: events.map((event) =>
      event.type === 'feature-created' ? withDeclared(event, { after: declared }) : event,
    ),
  }
}

/**
 * Updates description and default value of a flag. Omitted fields keep their value. Throws ValidationError,
 * NotFoundError, NoAccessError, and ConflictError for an archived flag or a body with another type.
 */
export const changeInManifest: Change<
  { key: string; by: ManifestCaller; flag: UpdateManifestFlag },
  ManifestResult
> = async (tx, { key, by, flag }, context) => {
  if (flag.key !== key) throw invalid(`The key "${flag.key}" differs from the key in the path, "${key}".`, 'body/key')
  const row = await requirePermittedFlag(tx, key, by, 'UPDATE_FEATURE')
  const valued = await requireValued(tx, key)
  const before = toManifestFlag(valued)
  if (flag.type !== before.type) throw createTypeConflict(before, flag)
  const declared = { type: flag.type, defaultValue: 'defaultValue' in flag ? flag.defaultValue : before.defaultValue }
  requireFitting(declared)
  const description = flag.description === undefined ? row.description : flag.description
  const isOther = JSON.stringify(declared.defaultValue) !== JSON.stringify(before.defaultValue)
  if (!isOther && description === row.description) {
    return { result: { flag: before, updatedAt: (await findLastChange(tx, key)) ?? row.created_at }, events: [] }
  }
  if (isOther) await putDeclaredValue(tx, key, declared)
  await tx.updateTable('features').set({ description }).where('name', '=', key).execute()
  const variants = (await readVariantsOfFeatures(tx, [key])).get(key) ?? []
  const event = buildFeatureEvent('feature-metadata-updated', { before: row, after: { ...row, description }, variants })
  const values = { before: valued.declared, after: isOther ? declared : valued.declared }
  const result = { flag: toManifestFlag(await requireValued(tx, key)), updatedAt: context.now }
  return { result, events: [withDeclared(event, values)] }
}

/**
 * Archives a flag and returns the time at which this happened. Throws NotFoundError, NoAccessError, ConflictError for a
 * flag that is archived or on in a protected environment, and InvalidOperationError for a flag that has children.
 */
export const removeFromManifest: Change<{ key: string; by: ManifestCaller }, number> = async (
  tx,
  { key, by },
  context,
) => {
  const { project } = await requirePermittedFlag(tx, key, by, 'DELETE_FEATURE')
  const environment = await findProtectedEnvironment(tx, key)
  if (environment !== undefined) {
    throw new Problem(
      'ConflictError',
      `The flag "${key}" is on in the environment "${environment}", which is protected.`,
    )
  }
  const { events } = await archiveFeature(tx, { project, feature: key }, context)
  return { result: context.now, events }
}

/**
 * Returns an unarchived flag. Throws an error if the flag is missing or archived, or if the caller lacks the permission
 * in the project of the flag.
 */
async function requirePermittedFlag(tx: Tx, key: string, by: ManifestCaller, permission: string): Promise<FeatureRow> {
  const row = await findFeature(tx, key)
  if (row === undefined || by.hidden.includes(row.project)) throw notFound(`There is no flag "${key}".`)
  requirePermission(by, permission, { project: row.project })
  if (row.archived_at === null) return row
  throw createConflict(`The flag with the key "${key}" is archived. Revive it first, or choose another key.`, 'key')
}

async function requireValued(tx: Tx, name: string): Promise<ValuedFlag> {
  const [flag] = await listValuedFlags(tx, { name })
  if (flag === undefined) throw notFound(`There is no flag "${name}".`)
  return flag
}

function requireFitting({ type, defaultValue }: DeclaredValue): void {
  if (hasType(type, defaultValue)) return
  const article = type === 'object' || type === 'integer' ? 'an' : 'a'
  const typeText =
    type === 'boolean' || type === 'string' || type === 'float' ? `of type ${type}` : `${article} ${type}`
  throw invalid(`"defaultValue" must be ${typeText}.`, 'body/defaultValue')
}

function createTypeConflict(before: ManifestFlag, { key, type }: UpdateManifestFlag): Problem {
  return createConflict(`The flag "${key}" is of the type ${before.type}, which cannot become ${type}.`, 'type')
}

function createConflict(message: string, field: string): Problem {
  return new Problem('ConflictError', message, { details: [{ message, path: `body/${field}` }] })
}

interface DeclaredChange {
  readonly before?: DeclaredValue | undefined
  readonly after?: DeclaredValue | undefined
}

/** Adds declared types and default values to the event of a flag. */
function withDeclared(event: NewEvent, { before, after }: DeclaredChange): NewEvent {
  return {
    ...event,
    ...(after === undefined ? {} : { data: { ...(event.data as object), ...toEventFields(after) } }),
    ...(before === undefined ? {} : { preData: { ...(event.preData as object), ...toEventFields(before) } }),
  }
}

function toEventFields({ type, defaultValue }: DeclaredValue) {
  return { valueType: type, defaultValue }
}
